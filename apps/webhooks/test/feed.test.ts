import { topics } from '@fanfare/contracts';
import { AccountStats } from '@fanfare/contracts/analytics';
import { AccountSnapshotTaken, PostSnapshotTaken } from '@fanfare/contracts/analytics/events';
import { Risk } from '@fanfare/contracts/content';
import { QueueEmptied } from '@fanfare/contracts/content/events';
import { JobCompleted } from '@fanfare/contracts/generation/events';
import { MediaChanged } from '@fanfare/contracts/library/events';
import { postFromProto } from '@fanfare/resources';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aPost, startWebhooks, type Scope, type TestWebhooks } from './running-webhooks.ts';

let webhooks: TestWebhooks;
let scope: Scope;
beforeAll(async () => {
  webhooks = await startWebhooks({ instances: 2 });
});
afterAll(() => webhooks.stop());
beforeEach(() => {
  scope = webhooks.aScope();
});

const aRisk = (more: Partial<Risk>) => Risk.fromPartial({ code: 'account_expired', detail: 'Reconnect it.', ...more });

/** Waits until the feed has a number of events, and returns it. */
const feed = (count: number, of: Scope = scope) =>
  eventually(async () => {
    const { events } = await webhooks.list(of);
    return events.length >= count && events;
  });

test('a post that a change of an account puts at risk has an event with its risks, at the same revision', async () => {
  const id = newId();
  await webhooks.changed(scope, { id, revision: 1 }, ['POST_CHANGE_CREATED']);
  await webhooks.changed(scope, { id, revision: 1, atRisk: [aRisk({ platform: 'x' })] }, ['POST_CHANGE_AT_RISK']);
  const [, event] = await feed(2);
  expect(event).toMatchObject({ type: 'post.at_risk', revision: 1, resourceId: id });
  expect(JSON.parse(event?.data ?? '')).toMatchObject({ id, at_risk: [{ code: 'account_expired', platform: 'x' }] });
  expect(JSON.parse(event?.previous ?? '')).toEqual({ at_risk: null });
});

test('a queue that has become empty is an event with the queue', async () => {
  const id = newId();
  const queue = {
    id,
    businessId: scope.businessId,
    name: 'Daily',
    slots: [{ days: ['mon'], time: '09:00' }],
    timezone: 'UTC',
    isDefault: true,
  };
  const data = QueueEmptied.fromPartial({ queue: { ...queue, createdAt: new Date(0), updatedAt: new Date(0), revision: 3 } });
  await webhooks.peer.emit(topics.queueEmptied, [{ emission: { ...scope, flowId: 'flow', subject: id, revision: 3 }, data }]);
  const [event] = await feed(1);
  expect(event).toMatchObject({ type: 'queue.empty', revision: 3, resourceId: id, businessId: scope.businessId });
  expect(JSON.parse(event?.data ?? '')).toMatchObject({ id, name: 'Daily', post_count: 0, next_publish_time: null });
});

describe('statistics', () => {
  const postId = newId();
  const snapshot = async (ageHours: number) => {
    const data = { ...scope, postId, deliveryId: newId(), integrationId: newId(), platform: 'x', publishId: '17' };
    const taken = PostSnapshotTaken.fromPartial({ ...data, snapshot: { ageHours, stats: { likes: 3, fetchedAt: new Date(0) } } });
    const emission = { ...scope, flowId: 'flow', subject: data.deliveryId, revision: ageHours };
    await webhooks.peer.emit(topics.postSnapshotTaken, [{ emission, data: taken }]);
  };
  const day = async () => {
    const stats = AccountStats.fromPartial({
      platform: 'facebook',
      start: '2026-08-05',
      end: '2026-08-05',
      followers: 12,
      fetchedAt: new Date(0),
    });
    const data = AccountSnapshotTaken.fromPartial({ ...scope, integrationId: newId(), platform: 'facebook', day: '2026-08-05', stats });
    const emission = { ...scope, flowId: 'flow', subject: data.integrationId, revision: 20260805 };
    await webhooks.peer.emit(topics.accountSnapshotTaken, [{ emission, data }]);
  };
  const created = () => webhooks.changed(scope, { id: newId(), revision: 1 }, ['POST_CHANGE_CREATED']);
  const endpoint = (...events: string[]) => webhooks.endpoint(scope, 'https://example.com/', { events, enabled: false });

  test('are no events unless an endpoint names them: not by a pattern', async () => {
    await endpoint('*', 'post.*', 'account.*');
    await snapshot(24);
    await day();
    await created();
    expect((await feed(1)).map(({ type }) => type)).toEqual(['post.created']);
  });

  test('of a post are one after 24 hours, and of an account one for each day', async () => {
    await endpoint('post.stats_milestone', 'account.stats');
    for (const age of [6, 24, 72]) await snapshot(age);
    await day();
    const events = (await feed(2)).toSorted((a, b) => b.type.localeCompare(a.type));
    expect(events).toMatchObject([
      { type: 'post.stats_milestone', revision: 24, resourceId: postId, actor: 'system:content' },
      { type: 'account.stats', revision: 20260805 },
    ]);
    expect(events.map(({ data }) => JSON.parse(data) as object)).toMatchObject([
      { post_id: postId, results: [{ platform: 'x', publish_id: '17', stats: { likes: 3, reach: null } }] },
      { platform: 'facebook', start_date: '2026-08-05', end_date: '2026-08-05', followers: 12 },
    ]);
    const named = (await webhooks.list(scope, { types: ['account.stats'] })).events;
    expect(named.map(({ type }) => type)).toEqual(['account.stats']);
  });
});

describe('the history of a post', () => {
  test('is one event for each change, numbered without gaps, with its cause and what it changed', async () => {
    const id = newId();
    await webhooks.changed(scope, { id, revision: 1, status: 'POST_STATUS_SCHEDULED' }, ['POST_CHANGE_CREATED', 'POST_CHANGE_SCHEDULED']);
    await webhooks.changed(scope, { id, revision: 2, status: 'POST_STATUS_SCHEDULED', caption: 'Rye' }, ['POST_CHANGE_UPDATED']);
    await webhooks.changed(scope, { id, revision: 3, status: 'POST_STATUS_PUBLISHED', caption: 'Rye' }, ['POST_CHANGE_ENDED'], [2, 0]);
    const events = await feed(4);
    expect(events.map(({ sequence, type, revision }) => [sequence, type, revision])).toEqual([
      [1, 'post.created', 1],
      [2, 'post.scheduled', 1],
      [3, 'post.updated', 2],
      [4, 'post.published', 3],
    ]);
    expect(events.map(({ previous }) => previous && (JSON.parse(previous) as object))).toEqual([
      undefined,
      undefined,
      { caption: 'Bread' },
      { status: 'SCHEDULED', scheduled_posts_url: expect.any(String) as string },
    ]);
    for (const event of events) expect(event).toMatchObject({ ...scope, resourceId: id, actor: 'key:k1', requestId: 'req_1' });
    const shown = postFromProto(aPost(scope, { id, revision: 3, status: 'POST_STATUS_PUBLISHED', caption: 'Rye' }), webhooks.urls);
    expect(JSON.parse(events[3]?.data ?? '')).toEqual(shown);
    expect((await webhooks.get(scope, events[3]?.id ?? '')).event).toEqual(events[3]);
  });

  test.each([
    [[1, 0], 'post.published'],
    [[1, 2], 'post.partially_published'],
    [[0, 2], 'post.failed'],
    [[0, 0], 'post.failed'],
  ])('ends with results %j as %s', async (results, type) => {
    await webhooks.changed(scope, { id: newId(), revision: 2 }, ['POST_CHANGE_RESULT_CHANGED', 'POST_CHANGE_ENDED'], results);
    expect((await feed(1)).map((event) => event.type)).toEqual([type]);
  });

  test('has a deleted post as it was', async () => {
    const id = newId();
    await webhooks.changed(scope, { id, revision: 2, caption: 'Gone' }, ['POST_CHANGE_DELETED']);
    const [event] = await feed(1);
    expect(event?.type).toBe('post.deleted');
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ id, caption: 'Gone' });
  });

  test('says nothing of changes that are about an older revision than the previous event', async () => {
    const id = newId();
    await webhooks.changed(scope, { id, revision: 5, caption: 'New' }, ['POST_CHANGE_UPDATED']);
    await webhooks.changed(scope, { id, revision: 4, caption: 'Old' }, ['POST_CHANGE_UPDATED']);
    await webhooks.changed(scope, { id, revision: 6, caption: 'Newer' }, ['POST_CHANGE_UPDATED']);
    expect((await feed(3)).map(({ previous }) => previous)).toEqual([undefined, undefined, JSON.stringify({ caption: 'New' })]);
  });
});

describe('the history of an account', () => {
  test('has changes of its status, but not refreshed tokens and settings', async () => {
    const id = newId();
    await webhooks.account(scope, { id, revision: 1 });
    await webhooks.account(scope, { id, revision: 2 });
    await webhooks.account(scope, { id, revision: 3, status: 'INTEGRATION_STATUS_EXPIRED' });
    await webhooks.account(scope, { id, revision: 4 });
    await webhooks.account(scope, { id, revision: 5, status: 'INTEGRATION_STATUS_DISCONNECTED' });
    const events = await feed(4);
    expect(events.map(({ type, revision }) => [type, revision])).toEqual([
      ['integration.connected', 1],
      ['integration.expired', 3],
      ['integration.connected', 4],
      ['integration.disconnected', 5],
    ]);
    expect(events[1]).toMatchObject({ actor: 'system:content' });
    expect(JSON.parse(events[1]?.previous ?? '')).toMatchObject({ status: 'connected', reconnect_url: null });
  });

  test('does not begin with an account that was connected long ago', async () => {
    const id = newId();
    await webhooks.account(scope, { id, revision: 7 });
    await webhooks.account(scope, { id, revision: 8, status: 'INTEGRATION_STATUS_EXPIRING' });
    expect((await feed(1)).map(({ type }) => type)).toEqual(['integration.expiring']);
  });
});

test('media and jobs are events when they are ready or have ended', async () => {
  const [mediaId, jobId] = [newId(), newId()];
  const about = (subject: string) => ({ ...scope, subject, revision: 1, flowId: 'flow' });
  const media = { id: mediaId, businessId: scope.businessId, status: 'MEDIA_STATUS_READY' as const, createdAt: new Date(0) };
  for (const change of ['MEDIA_CHANGE_READY', 'MEDIA_CHANGE_UPDATED'] as const)
    await webhooks.peer.emit(topics.mediaChanged, [
      { emission: about(mediaId), data: MediaChanged.fromPartial({ ...scope, mediaId, revision: 1, change, media }) },
    ]);
  await feed(1);
  const job = { id: jobId, businessId: scope.businessId, status: 'JOB_STATUS_COMPLETED' as const, createdAt: new Date(0) };
  await webhooks.peer.emit(topics.jobCompleted, [{ emission: about(jobId), data: JobCompleted.fromPartial({ ...scope, job }) }]);
  const events = await feed(2);
  expect(events.map(({ type, data }) => [type, JSON.parse(data) as object])).toMatchObject([
    ['media.ready', { id: mediaId, status: 'ready' }],
    ['job.completed', { job_id: jobId, status: 'completed' }],
  ]);
});

test('an organization sees its own events only, numbered by themselves', async () => {
  const other = webhooks.aScope();
  await webhooks.changed(scope, { id: newId(), revision: 1 }, ['POST_CHANGE_CREATED']);
  await webhooks.changed(other, { id: newId(), revision: 1 }, ['POST_CHANGE_CREATED']);
  const [own] = await feed(1);
  const [foreign] = await feed(1, other);
  expect([own?.sequence, foreign?.sequence]).toEqual([1, 1]);
  expect((await webhooks.list(scope)).events).toHaveLength(1);
  await expect(webhooks.get(scope, foreign?.id ?? '')).rejects.toMatchObject({ code: 'resource_not_found' });
});

describe('reading', () => {
  const posts = async (count: number, of: Scope = scope) => {
    for (let index = 0; index < count; index++) await webhooks.changed(of, { id: newId(), revision: 1 }, ['POST_CHANGE_CREATED']);
  };

  test('continues after a cursor, page by page', async () => {
    await posts(5);
    await feed(5);
    const first = await webhooks.list(scope, { limit: 3 });
    expect(first).toMatchObject({ nextAfter: 3, hasMore: true });
    const second = await webhooks.list(scope, { limit: 3, after: first.nextAfter });
    expect(second.events.map(({ sequence }) => sequence)).toEqual([4, 5]);
    expect(second).toMatchObject({ nextAfter: 5, hasMore: false });
    expect(await webhooks.list(scope, { after: 5 })).toEqual({ events: [], nextAfter: 5, hasMore: false });
    expect(await webhooks.list(scope, { isFromNow: true })).toEqual({ events: [], nextAfter: 5, hasMore: false });
    expect(await webhooks.list(webhooks.aScope())).toEqual({ events: [], nextAfter: 0, hasMore: false });
  });

  test('selects types and businesses, and the cursor moves past the others', async () => {
    const other = webhooks.aScope(scope.organizationId);
    await posts(2);
    await posts(1, other);
    await webhooks.account(other, { id: newId(), revision: 1 });
    await feed(4);
    const ofBusiness = await webhooks.list(scope, { businessId: other.businessId });
    expect(ofBusiness.events.map(({ businessId }) => businessId)).toEqual([other.businessId, other.businessId]);
    expect(await webhooks.list(scope, { types: ['integration.connected'] })).toMatchObject({
      events: [{ businessId: other.businessId }],
      nextAfter: 4,
    });
    expect(await webhooks.list(scope, { types: ['job.failed'] })).toEqual({ events: [], nextAfter: 4, hasMore: false });
  });

  test('rejects a cursor whose next events are deleted, naming the oldest, and one from the future', async () => {
    await posts(4);
    await feed(4);
    await webhooks.db.collection<{ organization_id: string; sequence: number }>('events').deleteMany({
      organization_id: scope.organizationId,
      sequence: { $lte: 2 },
    });
    const rejected = (message: RegExp) => ({ code: 'invalid_request', param: 'cursor', message: expect.stringMatching(message) as string });
    await expect(webhooks.list(scope, { after: 1 })).rejects.toMatchObject(rejected(/kept for 30 days.*oldest is 3.*cursor=2/));
    await expect(webhooks.list(scope, { after: 5 })).rejects.toMatchObject(rejected(/newest is 4/));
    for (const after of [2, undefined])
      expect((await webhooks.list(scope, { after })).events.map(({ sequence }) => sequence)).toEqual([3, 4]);
  });

  test.each([0, 1])('waits for an event that instance %d may have stored', async (instance) => {
    const reading = webhooks.list(scope, { waitMs: 30_000, types: ['post.deleted'] }, webhooks.running[instance]);
    await posts(1);
    await webhooks.changed(scope, { id: newId(), revision: 2 }, ['POST_CHANGE_DELETED']);
    expect((await reading).events.map(({ type }) => type)).toEqual(['post.deleted']);
  });

  test('ends with an empty page when the time to wait is over', async () => {
    expect(await webhooks.list(scope, { waitMs: 50 })).toEqual({ events: [], nextAfter: 0, hasMore: false });
  });
});

test('readers never miss an event, however many are stored at the same time', async () => {
  const count = 60;
  const writing = Promise.all(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0
        ? webhooks.changed(scope, { id: newId(), revision: 1 }, ['POST_CHANGE_CREATED', 'POST_CHANGE_SCHEDULED'])
        : webhooks.account(scope, { id: newId(), revision: 1 }),
    ),
  );
  const seen: number[] = [];
  for (let after = 0; seen.length < count * 1.5;) {
    const page = await webhooks.list(scope, { after, limit: 7, waitMs: 30_000 }, webhooks.running[seen.length % 2]);
    seen.push(...page.events.map(({ sequence }) => sequence));
    after = page.nextAfter;
  }
  await writing;
  expect(seen).toEqual(Array.from({ length: count * 1.5 }, (_, index) => index + 1));
});
