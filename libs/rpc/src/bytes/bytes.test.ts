import { DomainError } from '@fanfare/errors';
import { declaredBytesHeader, declaredBytesOf, descriptionHeader, problemBody, readDescriptionHeader, readProblem } from './index.ts';

test('the description of a file arrives unchanged, in any script', () => {
  const sent = { file_name: 'Bäckerei 🥐.png', folder_id: 'f', alt_text: 'パン', description: 'Two\nlines' };
  expect(readDescriptionHeader(descriptionHeader(sent))).toEqual(sent);
  expect(readDescriptionHeader({})).toEqual({});
});

test('the declared size is that of the file alone, and absent if the caller did not declare one', () => {
  expect(declaredBytesOf(declaredBytesHeader({ 'content-length': '100' }, 40))).toBe(60);
  expect(declaredBytesOf(declaredBytesHeader({ 'content-length': '10' }, 40))).toBe(0);
  expect(declaredBytesOf(declaredBytesHeader({}))).toBeUndefined();
  expect(declaredBytesOf({ 'content-length': '7', 'x-declared-bytes': '9' })).toBe(7);
});

test('an error is transferred with all its public fields, but without its cause', () => {
  const error = new DomainError('rate_limit_exceeded', 'The storage is full.', {
    param: 'file',
    errors: [{ param: 'file', code: 'invalid_value', detail: 'Too large.' }],
    retryAfterSeconds: 60,
    members: { quota: 'storage_bytes' },
    cause: new Error('inside'),
  });
  const body = problemBody(error);
  expect(body).not.toContain('inside');
  expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status: 429, code: 'rate_limit_exceeded' });
  const { code, detail, param, errors, retryAfterSeconds, members, cause } = readProblem(body) ?? {};
  expect({ code, detail, param, errors, retryAfterSeconds, members, cause }).toEqual({
    code: error.code,
    detail: error.detail,
    param: error.param,
    errors: error.errors,
    retryAfterSeconds: 60,
    members: error.members,
    cause: undefined,
  });
});

test.each(['', '<html>', '{}', '{"code":"toString"}', 'null', '"text"', '[1]'])('%j is not read as a problem', (body) => {
  expect(readProblem(body)).toBeUndefined();
});
