import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { runningSandbox, type RunningSandbox } from './running-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runningSandbox();
});
afterAll(() => sandbox.stop());

const JSON_TYPE = { 'content-type': 'application/json' };

/** As a browser or a program sends it, with Host and Origin. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(sandbox.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers }, (response) => {
      void text(response).then((said) => resolve({ status: response.statusCode ?? 0, text: said }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

it.each(['/', '/_control/posts', '/_control/mails', '/_control/sandbox.css', '/_apps', '/_dev/mail'])(
  'shows %s by a name of this machine, and not by a name that resolves to it',
  async (path) => {
    const port = new URL(sandbox.url).port;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `sandbox.localhost:${port}`]) {
      expect((await send('GET', path, { host })).status).toBe(200);
    }
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, 'localhost.evil.example']) {
      expect((await send('GET', path, { host })).status).toBe(403);
    }
  },
);

it('simulates the platforms under any name', async () => {
  expect((await send('GET', '/graph.facebook.com/v25.0/me', { host: 'sandbox:4460' })).status).toBe(400);
});

it.each([
  ['a form of another site', { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' }, 'a=b', 403],
  ['a script of another site', { origin: 'https://evil.example', 'content-type': 'text/plain' }, '{}', 403],
  ['a page without an origin', { origin: 'null', ...JSON_TYPE }, '{}', 403],
  ['another port of this machine', { origin: 'http://127.0.0.1:1', ...JSON_TYPE }, '{}', 403],
  ['a request that a browser sends without a preflight', { 'content-type': 'text/plain' }, '{}', 415],
  ['no origin and no type', {}, undefined, 415],
])('is not controlled by %s', async (_who, headers, body, status) => {
  await sandbox.control('/faults', { platform: 'x', call: 'x.create_post', fault: { type: 'drop' } });
  expect((await send('POST', '/_control/reset', headers, body)).status).toBe(status);
  if (status === 403) expect((await send('POST', '/_apps/sandbox-facebook/remove', headers, body)).status).toBe(403);
  expect((await sandbox.control('/faults')).body.items).toHaveLength(1);
  expect((await send('DELETE', '/_control/faults', JSON_TYPE)).status).toBe(200);
});

it('lets browsers recognize its own form', async () => {
  expect((await sandbox.call('/_apps')).headers.get('referrer-policy')).toBe('same-origin');
});

it('is controlled by JSON of its own pages and of programs', async () => {
  expect((await send('POST', '/_control/reset', JSON_TYPE)).status).toBe(200);
  expect(
    (await send('POST', '/_control/reset', { origin: sandbox.url, 'content-type': 'application/json; charset=utf-8' }, '{}')).status,
  ).toBe(200);
  expect(
    (await send('POST', '/_apps/sandbox-facebook/remove', { origin: sandbox.url, 'content-type': 'application/x-www-form-urlencoded' }))
      .status,
  ).toBe(200);
});
