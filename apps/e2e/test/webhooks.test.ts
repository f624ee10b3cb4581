import { spawn, execFile, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@fanfare/infra';
import { verifyWebhook, type Event } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import { Webhook } from 'standardwebhooks';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import type { SandboxWebhook } from '../src/sandbox.ts';
import { publish, readPost, untilTerminal } from '../src/publish.ts';

const root = path.join(import.meta.dirname, '../../..');
let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform();
});
afterAll(() => platform.stop());

const received = (name: string) => platform.sandbox.webhooks(name);
const setReceiver: Platform['sandbox']['setReceiver'] = (name, settings) => platform.sandbox.setReceiver(name, settings);

const endpoint = (name: string, events: string[], more: object = {}) =>
  platform.fanfare.webhooks.create({ url: `${platform.sandbox.url}/_webhooks/${name}`, events, ...more });

test('webhooks are the events of the feed, with the resource as GET returns it, and the library of the client verifies them', async () => {
  const { secret } = await endpoint('all', ['*']);
  await setReceiver('all', { secret });
  const id = await publish(platform, { caption: 'Fresh bread' });
  await untilTerminal(platform, id);
  const isEnd = ({ body }: SandboxWebhook) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { id: string } };
    return data.id === id && /^post\.(published|partially_published|failed)$/.test(type);
  };
  await eventually(async () => (await received('all')).some(isEnd));
  const all = await received('all');
  expect(new Set(all.map(({ signature }) => signature))).toEqual(new Set(['valid']));
  const events = all.map(({ body, headers }) => verifyWebhook(body, headers, secret ?? ''));
  const { self: _, ...post } = await readPost(platform, id);
  expect(JSON.parse(all.find(isEnd)?.body ?? '')).toMatchObject({ data: { ...post, media_details: [] } });
  const feed = await platform.fanfare.events.list().toArray();
  const inFeed = new Map(feed.map((event) => [event.id, event]));
  for (const event of events) expect(event).toEqual(inFeed.get(event.id));
  expect(() => verifyWebhook(`${all[0]?.body} `, all[0]?.headers ?? {}, secret ?? '')).toThrow('not valid');
});

test('a service that is killed again and again sends each event at least once, and all of them', async () => {
  await endpoint('killed', ['post.*']);
  const ids: string[] = [];
  for (let round = 0; round < 3; round++) {
    ids.push(
      ...(await Promise.all(Array.from({ length: 4 }, (_, index) => publish(platform, { caption: `Killed ${round}, post ${index}` })))),
    );
    await platform.kill('webhooks');
    await platform.start('webhooks');
  }
  for (const id of ids) await untilTerminal(platform, id);
  const sent = async () =>
    (await received('killed')).map(({ body }) => JSON.parse(body) as Event).filter(({ data }) => 'id' in data && ids.includes(data.id));
  const inFeed = async () =>
    (await platform.fanfare.events.list().toArray()).filter(({ data }) => 'id' in data && ids.includes(String(data.id)));
  await eventually(async () => (await inFeed()).length === 2 * ids.length);
  const wanted = (await inFeed()).map(({ id }) => id).sort();
  await eventually(async () => new Set((await sent()).map(({ id }) => id)).size === wanted.length);
  expect([...new Set((await sent()).map(({ id }) => id))].sort()).toEqual(wanted);
});

test('an endpoint that was down shows what failed, and gets everything after a recovery', async () => {
  const { fanfare } = platform;
  const webhook = await endpoint('down', ['post.created']);
  const since = webhook.created_at;
  await setReceiver('down', { behavior: { type: 'status', status: 410 } });
  const first = await publish(platform, { caption: 'Sent to an endpoint that does not exist any more' });
  await eventually(async () => (await fanfare.webhooks.get(webhook.id)).disabled_reason === 'gone');
  const second = await publish(platform, { caption: 'Sent to a disabled endpoint' });
  const [failed] = await fanfare.webhooks.listDeliveries(webhook.id, { status: 'failed' }).toArray();
  const detail = await fanfare.webhooks.getDelivery(webhook.id, failed?.id ?? '');
  expect(detail).toMatchObject({ event_type: 'post.created', error: 'The endpoint responded with 410 Gone.', attempt_count: 1 });
  expect(detail.attempts[0]).toMatchObject({ status_code: 410, response: { body: 'Set to respond with 410' } });

  await eventually(async () =>
    (await fanfare.events.list().toArray()).some(({ type, data }) => type === 'post.created' && 'id' in data && data.id === second),
  );
  await setReceiver('down', { behavior: { type: 'accept' } });
  await fanfare.webhooks.update(webhook.id, { enabled: true });
  await fanfare.webhooks.recover(webhook.id, { since });
  const accepted = async () => (await received('down')).filter((_, index) => index > 0).map(({ body }) => (JSON.parse(body) as Event).data);
  await eventually(async () => (await accepted()).length >= 2);
  expect((await accepted()).map((data) => 'id' in data && data.id)).toEqual([first, second]);
});

test('the secret is shown once, and no log contains it', async () => {
  const { fanfare, baseUrl, tenant } = platform;
  const token = 'a-token-of-our-own';
  const made = await endpoint('secret', ['*'], { headers: { Authorization: token } });
  const response = await fetch(`${baseUrl}/api/webhooks/${made.id}`, { headers: { authorization: `Bearer ${tenant.api_key}` } });
  const text = await response.text();
  expect(made.secret).toMatch(/^whsec_/);
  expect(text).not.toContain(made.secret);
  expect(text).not.toContain(token);
  const { id } = await fanfare.webhooks.test(made.id);
  await eventually(async () => (await fanfare.webhooks.getDelivery(made.id, id)).status === 'succeeded');
  expect((await received('secret'))[0]).toMatchObject({ headers: { authorization: token } });
  expect(JSON.stringify(await fanfare.webhooks.getDelivery(made.id, id))).not.toContain(token);
});

test.each([
  ['http://169.254.169.254/latest', 'url'],
  ['https://[::1]/', 'url'],
  ['https://localhost/', 'url'],
  ['https://user:pass@example.com/', 'url'],
  ['https://example.com:22/', 'url'],
  ['ftp://example.com/', 'url'],
])('an endpoint at %s is rejected', async (url, param) => {
  const created = platform.fanfare.webhooks.create({ url, events: ['*'] });
  await expect(created).rejects.toMatchObject({ status: 400, code: 'invalid_value', param });
});

test('a filter with the business of another organization is rejected, as are unknown types', async () => {
  const create = (more: object) => platform.fanfare.webhooks.create({ url: 'https://example.com/', events: ['*'], ...more });
  await expect(create({ business_ids: [platform.foreign.business_id] })).rejects.toMatchObject({ status: 403, code: 'permission_denied' });
  await expect(create({ events: ['post.exploded'] })).rejects.toMatchObject({ status: 422, code: 'validation_failed' });
});

describe('the programs of the documentation', () => {
  const running: ChildProcess[] = [];
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'fanfare-webhooks-'));
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const SECRET = `whsec_${Buffer.alloc(32, 's').toString('base64')}`;
  const program = async (language: string): Promise<string> => {
    const page = await readFile(path.join(root, 'apps/webhooks/RECEIVING.md'), 'utf8');
    return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
  };

  test.each([
    [
      'js',
      'receiver.mjs',
      async (file: string) => {
        await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
        return [process.execPath, file] as const;
      },
    ],
    [
      'python',
      'receiver.py',
      async (file: string) => {
        const pip = ['-m', 'pip', 'install', '-q', '--no-deps', '--root-user-action=ignore', '--target', folder, 'standardwebhooks==1.0.1'];
        await promisify(execFile)('python3', pip);
        return ['python3', file] as const;
      },
    ],
  ])('verify webhooks in %s', async (language, name, prepare) => {
    const file = path.join(folder, name);
    await writeFile(file, await program(language));
    const [command, argument] = await prepare(file);
    const [port] = await freePorts(1);
    const child = spawn(command, [argument], { env: { ...process.env, PORT: String(port), FANFARE_WEBHOOK_SECRET: SECRET } });
    running.push(child);
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const body = JSON.stringify({ type: 'post.published' });
    const at = new Date();
    const send = (signature: string) =>
      fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'webhook-id': 'e1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)), 'webhook-signature': signature },
        body,
      }).then(({ status }) => status);
    const good = new Webhook(SECRET).sign('e1', at, body);
    await eventually(async () => (await send(good).catch(() => 0)) === 204);
    // What it prints may arrive after its response.
    await eventually(() => printed !== '');
    expect(printed).toMatch(/^(post\.published\s*)+$/);
    expect(await send('v1,bm90IGEgc2lnbmF0dXJl')).toBe(400);
  });
});
