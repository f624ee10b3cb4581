import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FanfareError } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import { anImage } from '../src/an-image.ts';
import { startPlatform, type Platform } from '../src/platform.ts';
import { outcomes, untilTerminal } from '../src/publish.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The errors of the processes' clocks. The database's clock and this test's are right. */
const ahead = { gateway: 10 * MINUTE_MS, content: -10 * MINUTE_MS, library: 2 * DAY_MS, publisher: 3 * DAY_MS, webhooks: -20 * MINUTE_MS };

let platform: Platform;

beforeAll(async () => {
  const preload = pathToFileURL(path.join(import.meta.dirname, 'fixtures/wrong-clock.mjs')).href;
  const wrong = Object.entries(ahead).map(([name, ms]) => [name, { NODE_OPTIONS: `--import ${preload}`, CLOCK_AHEAD_MS: String(ms) }]);
  platform = await startPlatform(Object.fromEntries(wrong) as Record<string, Record<string, string>>);
});
afterAll(() => platform.stop());

const since = (begun: number, time: string | null | undefined): number => Date.parse(time ?? '') - begun;

test('a post that is scheduled through machines with wrong clocks is published at its time, and its results show that time', async () => {
  const { fanfare, tenant } = platform;
  const media_ids = [await anImage(platform)];
  const begun = Date.now();
  const due = new Date(begun + 10_000).toISOString();
  const created = await fanfare.posts.create(tenant.business_id, {
    caption: 'On time all the same',
    media_ids,
    status: 'SCHEDULED',
    scheduled_publish_time: due,
  });
  expect(Math.abs(since(begun, created.created_at))).toBeLessThan(MINUTE_MS);

  const post = await untilTerminal(platform, created.id);
  expect(outcomes(post)).toEqual(['facebook success', 'instagram success', 'x success']);
  expect(since(Date.parse(due), post.published_at)).toBeGreaterThanOrEqual(0);
  expect(since(begun, post.published_at)).toBeLessThan(2 * MINUTE_MS);
  for (const { lag_ms } of post.publish_results) {
    expect(lag_ms).toBeGreaterThanOrEqual(0);
    expect(lag_ms).toBeLessThan(2 * MINUTE_MS);
  }
});

test('a receiver accepts the signature of a webhook from a machine with a wrong clock', async () => {
  const { fanfare, sandbox } = platform;
  const { id, secret } = await fanfare.webhooks.create({ url: `${sandbox.url}/_webhooks/clock`, events: ['post.*'] });
  await sandbox.setReceiver('clock', { secret });
  await fanfare.webhooks.test(id);
  const [received] = await eventually(async () => {
    const all = await sandbox.webhooks('clock');
    return all.length > 0 && all;
  });
  expect(received?.signature).toBe('valid');
});

test('a past time is rejected, and a future one is accepted, whatever those clocks show', async () => {
  const { fanfare, tenant } = platform;
  const schedule = (inMs: number) =>
    fanfare.posts.create(tenant.business_id, {
      caption: 'When?',
      status: 'SCHEDULED',
      scheduled_publish_time: new Date(Date.now() + inMs).toISOString(),
    });
  await expect(schedule(-MINUTE_MS)).rejects.toBeInstanceOf(FanfareError);
  await expect(schedule(5 * MINUTE_MS)).resolves.toMatchObject({ status: 'SCHEDULED' });
});

test('people can sign in, and keys that expire soon work until then', async () => {
  const { api, userId } = await platform.signIn(platform.tenant, 'owner');
  expect((await api<{ id: string }>('GET', '/api/me')).body.id).toBe(userId);
  const expires_at = new Date(Date.now() + 5 * MINUTE_MS).toISOString();
  expect((await api('POST', '/api/keys', { name: 'Short', expires_at })).status).toBe(201);
});

test.each(Object.entries(ahead))('the %s reports to operators that its clock is wrong, and keeps working', async (name, aheadMs) => {
  const adminUrl = `http://${platform.settingsOf(name as keyof typeof ahead)['ADMIN_ADDRESS']}`;
  const ready = await fetch(`${adminUrl}/readyz`);
  expect(ready.status).toBe(200);
  const { warnings } = (await ready.json()) as { warnings: { clock?: string } };
  expect(warnings.clock).toContain(aheadMs > 0 ? 'ahead of' : 'behind');
  const [, skew] = /^fanfare_clock_skew_seconds\{.*\} (\S+)$/m.exec(await (await fetch(`${adminUrl}/metrics`)).text()) ?? [];
  expect(Math.abs(Number(skew) * 1000 - aheadMs)).toBeLessThan(5_000);
});
