import { createLogger } from './logger.ts';

function record() {
  let written = '';
  const log = createLogger('content', 'info', { write: (line) => void (written += line) });
  return { log, written: () => written };
}

const SECRET = 'hunter2 with a "quote", a \\ and a }';
const names = [
  'authorization',
  'Authorization',
  'cookie',
  'Set-Cookie',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'client_secret',
  'clientSecret',
  'code_verifier',
  'api_key',
  'apiKey',
  'password',
  'secret',
  'token',
];

test.each(names)('the value of a member named %s is never logged, wherever it is', (name) => {
  const { log, written } = record();
  log.info({ [name]: SECRET, kept: 1 }, 'at the top');
  log.info({ a: { b: { c: { d: { [name]: SECRET, kept: 2 } } } } }, 'deep down');
  log.info({ list: [{ [name]: SECRET }, { [name]: [SECRET, SECRET] }], kept: 3 }, 'in lists');
  log.error({ err: Object.assign(new Error('rejected'), { request: { headers: { [name]: SECRET } }, kept: 4 }) }, 'in errors');
  log.child({ headers: { [name]: SECRET }, kept: 5 }).info('in children');
  expect(written()).not.toContain('hunter2');
  const lines = written()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ msg }) => msg)).toEqual(['at the top', 'deep down', 'in lists', 'in errors', 'in children']);
  for (const kept of [1, 2, 3, 4, 5]) expect(written()).toContain(`"kept":${kept}`);
});

test('values that only resemble a secret are logged: an error code, the kind of a token, a word in a message', () => {
  const { log, written } = record();
  log.warn({ code: 'ECONNREFUSED', token_type: 'bearer', page_token_used: true }, 'the token "password" is no secret');
  expect(JSON.parse(written())).toMatchObject({
    service: 'content',
    level: 'warn',
    code: 'ECONNREFUSED',
    token_type: 'bearer',
    page_token_used: true,
    msg: 'the token "password" is no secret',
  });
});
