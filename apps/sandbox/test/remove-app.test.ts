import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runningSandbox, type RunningSandbox } from './running-sandbox.ts';

const received: { path: string; type: string | undefined; said: Record<string, unknown> }[] = [];
let listener: Server;
let sandbox: RunningSandbox;
let base: string;

beforeAll(async () => {
  listener = createServer((request, response) => {
    void readForm(request).then((form) => {
      received.push({ path: request.url ?? '', type: request.headers['content-type'], said: verified(form.get('signed_request') ?? '') });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ url: 'https://app.example/deletions/1', confirmation_code: '1' }));
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const app = { platform: 'facebook', client_id: 'sandbox-facebook', client_secret: 'the-secret' };
  const urls = { deauthorize_url: `${base}/deauthorize`, data_deletion_url: `${base}/deletion` };
  sandbox = await runningSandbox({ SANDBOX_APPS: JSON.stringify([{ ...app, ...urls }]) });
});
afterAll(async () => {
  await sandbox.stop();
  await new Promise((resolve) => listener.close(resolve));
});
beforeEach(() => void received.splice(0));

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** As Meta's own sample code checks it. */
function verified(signed: string): Record<string, unknown> {
  const [signature, payload = ''] = signed.split('.');
  expect(signature).toBe(createHmac('sha256', 'the-secret').update(payload).digest('base64url'));
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

const consent = async () => {
  const query = 'client_id=sandbox-facebook&redirect_uri=https://app.example/cb&state=s&response_type=code&scope=pages_show_list';
  await sandbox.call(`https://www.facebook.com/v25.0/dialog/oauth?${query}`, { headers: { 'x-sandbox-consent': 'allow' } });
};

test("a person who removes the app revokes every login, and the app is notified with Meta's signature", async () => {
  await consent();
  await consent();
  const { status, body } = await sandbox.control('/apps/sandbox-facebook/remove', {});
  expect([status, body]).toEqual([
    200,
    { revoked_grants: 2, notified: [{ url: `${base}/deauthorize`, status: 200, response: expect.any(Object) }] },
  ]);
  const said = { user_id: '10150000000000001', algorithm: 'HMAC-SHA256', issued_at: expect.any(Number) };
  expect(received).toEqual([{ path: '/deauthorize', type: 'application/x-www-form-urlencoded', said }]);
});

test('the page for it also requests the deletion of data, and shows where to read its status', async () => {
  await consent();
  expect((await sandbox.call('/_apps')).text).toContain('has access, by 1 login');
  const page = await sandbox.call('/_apps/sandbox-facebook/remove', { form: { delete_data: 'yes' } });
  expect(page.text).toContain('https://app.example/deletions/1');
  expect(received.map(({ path }) => path)).toEqual(['/deauthorize', '/deletion']);
});

test('an unknown app, one without a callback, and one that does not respond', async () => {
  expect((await sandbox.control('/apps/sandbox-x/remove', {})).status).toBe(404);
  expect((await sandbox.control('/apps/sandbox-facebook/remove', { delete: true })).status).toBe(400);
  expect((await sandbox.control('/apps/sandbox-instagram/remove', {})).body).toEqual({ revoked_grants: 0, notified: [] });
});

test('the app itself removes its permissions with its own token, once', async () => {
  await consent();
  const remove = (token: string, user = '10150000000000001') =>
    sandbox.call(`https://graph.facebook.com/v25.0/${user}/permissions?access_token=${encodeURIComponent(token)}`, { method: 'DELETE' });
  const token = 'sandbox-facebook|the-secret';
  expect(await remove('sandbox-facebook|another-secret')).toMatchObject({ status: 401, body: { error: { code: 190 } } });
  expect(await remove(token, '7')).toMatchObject({ status: 400, body: { error: { error_subcode: 33 } } });
  expect(await remove(token)).toMatchObject({ status: 200, body: { success: true } });
  expect(await remove(token)).toMatchObject({ status: 401, body: { error: { error_subcode: 458 } } });
});
