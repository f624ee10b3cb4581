import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { DomainError, ERROR_TABLE, type ErrorCode, type FieldError } from '@fanfare/errors';
import { recordLog } from '@fanfare/testing';
import { fromServiceError } from '../src/status.ts';
import { aCall, contentClient, runContent } from './running-content.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Calls a real server whose handler throws, and returns the client's error and the log. */
async function failWith(thrown: () => unknown): Promise<{ seen: DomainError; calls: number; lines: Record<string, unknown>[] }> {
  const { log, lines } = recordLog();
  let calls = 0;
  const server = await runContent(
    {
      getPost: async () => {
        calls++;
        throw thrown();
      },
    },
    { log },
  );
  const { client, close } = contentClient(server.port);
  closing.push(server.stop, close);
  const seen = await client.getPost({ postId: 'p' }, { call: aCall() }).then(
    () => new Error('The call succeeded.'),
    (error: unknown) => error,
  );
  expect(seen).toBeInstanceOf(DomainError);
  return { seen: seen as DomainError, calls, lines };
}

describe('a domain error', () => {
  test.each(Object.keys(ERROR_TABLE) as ErrorCode[])('%s arrives complete, and is not retried', async (code) => {
    const errors = [
      { param: 'media_ids.0', code: 'invalid_value', detail: 'Kein Bild: „Café“ 🎺' },
      { param: 'caption', code: 'missing_field', detail: 'It is needed.' },
    ] as const;
    const thrown = new DomainError(code, 'Das geht so nicht: „Café“ 🎺', {
      param: 'media_ids',
      errors,
      retryAfterSeconds: 7,
      members: { param: 'x', quota: 'y' },
    });
    const { seen, calls } = await failWith(() => thrown);
    expect(seen).toMatchObject({
      code,
      detail: thrown.detail,
      param: 'media_ids',
      errors,
      retryAfterSeconds: 7,
      members: { param: 'x', quota: 'y' },
    });
    expect(calls).toBe(1);
  });

  test('has neither param, errors nor retryAfter if it was thrown without', async () => {
    const { seen } = await failWith(() => new DomainError('resource_not_found', 'Post not found.'));
    expect(seen).toMatchObject({ code: 'resource_not_found', detail: 'Post not found.', errors: [] });
    expect(seen.param).toBeUndefined();
    expect(seen.retryAfterSeconds).toBeUndefined();
  });

  test.each([
    ['in ASCII', 'a long tale '],
    ['with four bytes a character', 'x🎺🎺🎺🎺🎺🎺'],
    ['that starts with an astral character', '🎺é'],
  ])('arrives with 4,000 characters of detail %s', async (_kind, piece) => {
    const detail = piece.repeat(4_000).slice(0, 4_000).toWellFormed();
    const { seen } = await failWith(() => new DomainError('invalid_request', detail));
    expect(seen.code).toBe('invalid_request');
    expect(seen.detail).toBe(detail);
  });

  test('with more problems than fit into the trailers arrives with the first of them', async () => {
    const errors: FieldError[] = Array.from({ length: 2_000 }, (_, n) => ({
      param: `media_urls.${n}`,
      code: 'invalid_value',
      detail: `The URL is not valid, and this is problem number ${n} of this request.`,
    }));
    const { seen } = await failWith(() => new DomainError('validation_failed', 'd'.repeat(100_000), { param: 'media_urls.0', errors }));
    expect(seen).toMatchObject({ code: 'validation_failed', param: 'media_urls.0' });
    expect(seen.detail).toMatch(/^d{1000}/);
    expect(seen.errors.length).toBeGreaterThan(50);
    expect(seen.errors).toEqual(errors.slice(0, seen.errors.length));
  });

  test('is not logged by the service, because the caller caused it', async () => {
    const { lines } = await failWith(() => new DomainError('invalid_value', 'No.'));
    expect(lines).toEqual([]);
  });
});

describe('any other error', () => {
  test.each([
    ['an exception', () => new TypeError('secret-host:27017 rejected the password hunter2')],
    ['a thrown string', () => 'secret-host hunter2'],
  ])('%s becomes internal_error without internal details, and is logged with the ids of the call', async (_kind, thrown) => {
    const { seen, lines } = await failWith(thrown);
    expect(seen).toMatchObject({ code: 'internal_error', errors: [] });
    expect(seen.detail).not.toMatch(/secret-host|hunter2/);
    expect(String((seen.cause as Error | undefined)?.message)).not.toMatch(/secret-host|hunter2/);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        request_id: 'req_1',
        flow_id: 'flow-1',
        organization_id: 'org-1',
        method: '/fanfare.content.v1.ContentService/GetPost',
      }),
    ]);
    expect(JSON.stringify(lines)).toContain('hunter2');
  });

  test('a handler that throws synchronously does not crash the process', async () => {
    const server = await runContent({
      getPost: () => {
        throw new Error('at once');
      },
    });
    const { client, close } = contentClient(server.port);
    closing.push(server.stop, close);
    await expect(client.getPost({ postId: 'p' }, { call: aCall() })).rejects.toMatchObject({ code: 'internal_error' });
  });

  test('unreadable details become internal_error', () => {
    const metadata = new Metadata();
    metadata.set('grpc-status-details-bin', Buffer.from([0x0a, 0xff, 0xff]));
    const unreadable: ServiceError = Object.assign(new Error('odd'), { code: status.INTERNAL, details: 'odd', metadata });
    expect(fromServiceError(unreadable, 'content')).toMatchObject({ code: 'internal_error', cause: unreadable });
  });
});
