import { readFileSync } from 'node:fs';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import type { IntegrationDocument } from '../src/accounts/store/integrations.ts';
import type { DeliveryDocument } from '../src/deliveries/delivery.ts';
import type { QuotaDocument } from '../src/quotas/store/quotas.ts';
import { startPublisher, type TestPublisher } from './running-publisher.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** More than any test takes. */
const SOON_MS = 120_000;
const reel = readFileSync('apps/sandbox/test/fixtures/reel.mp4');

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher({ env: { PLATFORM_BUDGETS: JSON.stringify({ tiktok: { posts: 2 } }) } });
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

/** An account of an organization of its own, whose clock was never moved. */
async function anAccount(platform: string, username: string) {
  const scope = { organizationId: newId(), businessId: newId() };
  const call = callAs(scope);
  const integration = await publisher.connect(platform, call, await publisher.sandbox.createAccount(platform, username));
  const advance = (hours: number) => publisher.clock.advance(call, hours);
  const read = async () => (await publisher.client.getIntegration({ integrationId: integration.id }, call)).integration as Integration;
  return { scope, call, integration, advance, read, left: () => publisher.clock.workLeft(call) };
}
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const rowOf = (id: string) => publisher.db.collection<DeliveryDocument>('deliveries').findOne({ _id: id });
const isClose = (time: Date | undefined, to: Date) => Math.abs((time?.getTime() ?? 0) - to.getTime()) < SOON_MS;

test('tokens are refreshed by the clock of their organization, and those of another one are not', async () => {
  const [{ integration, advance, read, left }, other] = [await anAccount('x', 'ahead'), await anAccount('x', 'behind')];
  expect((await left()).nextDueAt?.getTime()).toBeLessThan(inHours(2).getTime());
  await advance(5);
  const fresh = await eventually(async () => {
    const found = await read();
    return found.revision > integration.revision && found;
  });
  expect(fresh.status).toBe('INTEGRATION_STATUS_CONNECTED');
  expect(isClose(fresh.tokenExpiresAt, inHours(7))).toBe(true);
  expect(isClose(fresh.updatedAt, inHours(5))).toBe(true);
  await eventually(async () => (await left()).openWork.length === 0);
  expect((await other.read()).revision).toBe(other.integration.revision);
});

test('an access that cannot be refreshed is about to end, and then ends, when the clock comes to its times', async () => {
  const { integration, scope, call, advance, read, left } = await anAccount('x', 'ending');
  const [ends, checkedAt] = [inHours(30 * DAY_HOURS), inHours(23 * DAY_HOURS)];
  const integrations = publisher.db.collection<IntegrationDocument>('integrations');
  const ending = { refreshable: false, token_expires_at: ends, reconnect_by: ends, token_check_at: checkedAt };
  await integrations.updateOne({ _id: integration.id }, { $set: ending });
  expect((await left()).nextStopAt).toEqual(checkedAt);

  await advance(24 * DAY_HOURS);
  await eventually(async () => (await read()).status === 'INTEGRATION_STATUS_EXPIRING');
  await eventually(async () => (await left()).nextStopAt?.getTime() === ends.getTime());
  const [works = ''] = await publisher.publish({ integration, caption: 'Still works', ...scope, dueAt: inHours(24 * DAY_HOURS) });
  expect(await publisher.outcome(works)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });

  await advance(30 * DAY_HOURS + 1);
  await eventually(async () => (await read()).status === 'INTEGRATION_STATUS_EXPIRED');
  const [late = ''] = await publisher.publish({ integration, caption: 'Too late', ...scope, dueAt: inHours(30 * DAY_HOURS + 1) });
  expect(await publisher.outcome(late)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'token_expired' });
  expect((await publisher.clock.workLeft(call)).nextStopAt).toBeUndefined();
});

test('what is published has the time of its organization, and is too late by that time', async () => {
  const { integration, scope, advance } = await anAccount('facebook', 'timely');
  await advance(100 * DAY_HOURS);
  const dueAt = inHours(100 * DAY_HOURS);
  const [id = '', late = ''] = await publisher.publish(
    { integration, caption: 'In a hundred days', ...scope, dueAt, publishBefore: inHours(100 * DAY_HOURS + 1) },
    { integration, caption: 'An hour ago', ...scope, dueAt, publishBefore: inHours(100 * DAY_HOURS - 1) },
  );
  const { status, publishedAt } = await publisher.outcome(id);
  expect(status).toBe('DELIVERY_STATUS_SUCCESS');
  expect(isClose(publishedAt, dueAt)).toBe(true);
  expect(await publisher.outcome(late)).toMatchObject({ errorType: 'too_late' });
});

test("a day's quota has room again when the clock has passed the day, and nobody else notices", async () => {
  const { integration, scope, advance, left } = await anAccount('tiktok', 'many_clips');
  const clip = (caption: string) => ({
    ...{ integration, caption, mediaIds: [publisher.library.addVideo(reel)], ...scope, options: { privacy_level: 'PUBLIC_TO_EVERYONE' } },
  });
  const used = [];
  for (const caption of ['Clip 1', 'Clip 2']) used.push(...(await publisher.publish(clip(caption))));
  for (const id of used) expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  const quotas = publisher.db.collection<QuotaDocument>('budgets');
  const shared = { _id: `tiktok/posts/${integration.accountId}` };

  const [third = ''] = await publisher.publish(clip('Clip 3'));
  const waiting = await eventually(async () => {
    const row = await rowOf(third);
    return row?.waiting?.reason === 'rate_limited' && row;
  });
  // What is counted in real time, the rejection included.
  const before = await quotas.findOne(shared);
  expect((await left()).nextStopAt).toEqual(waiting.run_at);
  await advance(20);
  await eventually(async () => (await left()).openWork.length === 0);
  expect(await rowOf(third)).toMatchObject({ open: true, waiting: { reason: 'rate_limited' } });
  await advance(26);
  expect(await publisher.outcome(third)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(isClose((await rowOf(third))?.published_at, inHours(26))).toBe(true);
  expect(await quotas.findOne(shared)).toEqual(before);
});

test('a wait for a platform that rejects calls ends by the clock, and callers get its time', async () => {
  const { integration, scope, advance, left } = await anAccount('facebook', 'patient');
  await advance(10 * DAY_HOURS);
  const body = { error: { code: 32, message: 'Page request limit reached', type: 'OAuthException' } };
  await publisher.sandbox.fault('facebook.create_feed_post', { type: 'status', status: 400, body, apply: 'before' }, null);
  const [id = ''] = await publisher.publish({ integration, caption: 'Patient', ...scope, dueAt: inHours(10 * DAY_HOURS) });
  const row = await eventually(async () => {
    const found = await rowOf(id);
    return found?.waiting?.reason === 'rate_limited' && found;
  });
  expect(row.waiting?.until).toEqual(row.run_at);
  expect(row.run_at.getTime()).toBeGreaterThan(inHours(10 * DAY_HOURS).getTime() - SOON_MS);
  await publisher.sandbox.clearFaults();
  const stopAt = (await left()).nextStopAt as Date;
  await advance((stopAt.getTime() - Date.now()) / HOUR_MS + 1);
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
});

test('finding out what became of a commit takes real time, whatever the clock', async () => {
  const { integration, scope, advance } = await anAccount('facebook', 'doubtful');
  await advance(DAY_HOURS);
  await publisher.sandbox.fault('facebook.create_feed_post', { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration, caption: 'Doubtful', ...scope, dueAt: inHours(DAY_HOURS) });
  const row = await eventually(async () => {
    const found = await rowOf(id);
    return found?.waiting?.reason === 'confirming' && found;
  });
  expect(row.real_due).toEqual(row.run_at);
  expect(row.commit?.settled_at).toEqual(row.run_at);
  expect(Math.abs(row.run_at.getTime() - Date.now())).toBeLessThan(SOON_MS);
  expect(isClose(row.waiting?.until, inHours(DAY_HOURS))).toBe(true);
  // The one post that the platform has is found, and has the time at which it was sent.
  const outcome = await publisher.outcome(id);
  expect(outcome.status).toBe('DELIVERY_STATUS_SUCCESS');
  expect(isClose(outcome.publishedAt, inHours(DAY_HOURS))).toBe(true);
  expect((await publisher.sandbox.posts()).filter(({ text }) => text === 'Doubtful')).toHaveLength(1);
});
