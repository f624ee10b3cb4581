import { Webhook } from 'standardwebhooks';
import { runningSandbox, type RunningSandbox } from './running-sandbox.ts';

const SECRET = `whsec_${Buffer.alloc(24, 's').toString('base64')}`;
let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await runningSandbox();
});
afterEach(() => sandbox.stop());

const sent = (body: object, secret = SECRET) => {
  const text = JSON.stringify(body);
  const at = new Date();
  const headers = {
    'webhook-id': 'e1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('e1', at, text),
  };
  return sandbox.call('/_webhooks/inbox', { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: text });
};
const received = async () => (await sandbox.control('/webhooks')).body.items;

it('shows what has arrived, and verifies signatures once it knows the secret', async () => {
  expect((await sent({ type: 'post.created', data: { caption: '<b>' } })).status).toBe(204);
  expect(await received()).toMatchObject([{ name: 'inbox', signature: 'not checked', headers: { 'webhook-id': 'e1' } }]);
  await sandbox.control('/webhooks/inbox', { secret: SECRET }, 'PUT');
  await sent({ type: 'post.deleted' }, `whsec_${Buffer.alloc(24, 'x').toString('base64')}`);
  expect(await received()).toMatchObject([{ signature: 'invalid' }, { signature: 'valid' }]);

  const page = await sandbox.call('/_webhooks');
  expect(page.text).toContain('post.created');
  expect(page.text).toContain('&#60;b&#62;');
  expect(page.text).toContain('http-equiv="refresh"');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
});

it('fails as it is told, and then accepts again', async () => {
  const settings = { behavior: { type: 'status', status: 429, retry_after: 7 }, times: 1 };
  await sandbox.control('/webhooks/inbox', settings, 'PUT');
  const rejected = await sent({ type: 'post.created' });
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '7']);
  expect((await sent({ type: 'post.created' })).status).toBe(204);
  await sandbox.control('/webhooks/inbox', { behavior: { type: 'drop' } }, 'PUT');
  await expect(sent({ type: 'post.created' })).rejects.toThrow();
  expect((await sandbox.control('/webhooks/inbox', { behavior: { type: 'sing' } }, 'PUT')).status).toBe(400);
});

it('can be set on the page', async () => {
  const form = { name: 'inbox', secret: SECRET, behavior: 'redirect' };
  expect((await sandbox.call('/_webhooks', { method: 'POST', form })).status).toBe(303);
  expect((await sent({ type: 'post.created' })).status).toBe(302);
  expect(await received()).toMatchObject([{ signature: 'valid', behavior: 'redirect' }]);
  const page = await sandbox.call('/_webhooks?still');
  expect(page.text).not.toContain('http-equiv="refresh"');
  expect(page.text).toContain('<option value="redirect" selected>');
  expect(page.text).toContain('known');
  expect(page.text).not.toContain(SECRET);
  const evil = await sandbox.call('/_webhooks', { method: 'POST', form, headers: { origin: 'http://evil.example' } });
  expect(evil.status).toBe(403);
});
