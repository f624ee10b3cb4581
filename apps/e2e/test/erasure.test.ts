// A business and its organization are deleted: publishing stops, it can be restored and exported, and then nothing of it is left in any database.
import { topics } from '@fanfare/contracts';
import { newId } from '@fanfare/runtime';
import { copyOf, eventually, findEverywhere, startEventPeer, unzip, type EventPeer } from '@fanfare/testing';
import { MongoClient, type Db } from 'mongodb';
import { jpeg } from '../src/an-image.ts';
import { createApi, type Api, type PostBody } from '../src/api.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, publish, readPost, untilTerminal } from '../src/publish.ts';
import { runAdmin } from '../src/run-admin.ts';

const SERVICES = ['gateway', 'content', 'publisher', 'library', 'analytics', 'generation', 'webhooks'] as const;
/** Ids and times, and what expires within a day. */
const REMAINS = { except: ['tombstones', 'deletions', 'idempotency_records', 'test_clock_events'] };
/** These change by themselves. */
const MOVING = { except: ['outbox', 'inbox', 'leases', 'rate_windows', 'idempotency_records', 'media_news'] };

let platform: Platform;
let mongo: MongoClient;
let peer: EventPeer;
let owner: Api;
let databases: ReadonlyMap<string, Db>;
beforeAll(async () => {
  platform = await borrowPlatform(['facebook', 'x']);
  const { MONGODB_URL: mongoUrl = '' } = platform.settingsOf('publisher');
  mongo = await new MongoClient(mongoUrl).connect();
  databases = new Map(SERVICES.map((name) => [name, mongo.db(platform.settingsOf(name)['MONGODB_DATABASE'])]));
  const { KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX: topicPrefix = '' } = platform.settingsOf('publisher');
  const infra = { mongoUrl, kafkaBrokers: KAFKA_BROKERS.split(','), topicPrefix, partitions: 2, database: `late_${newId()}` };
  peer = await startEventPeer(infra, 'late', [topics.publicationRequested, topics.postChanged]);
});
// An access token lives for ten minutes.
beforeEach(async () => {
  owner = (await platform.signIn(platform.tenant, 'owner')).api;
});
afterAll(async () => {
  await peer.stop();
  await mongo.close();
  await platform.stop();
});

const idOf = async (made: Promise<{ status: number; body: Record<string, unknown> }>) => {
  const { status, body } = await made;
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return String(body['id']);
};

/** Something of each kind that a business can have, without a post on its way. @returns their ids */
async function furnish(api: Api, baseUrl: string, key: string, businessId: string, mark: string): Promise<string[]> {
  const own = `/api/businesses/${businessId}`;
  const make = (path: string, body: unknown) => idOf(api('POST', own + path, body));
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(await jpeg(64, 64, mark.includes('2') ? '#112233' : '#445566'))]), `${mark}.jpg`);
  const uploaded = await fetch(`${baseUrl}${own}/media`, { method: 'POST', body: form, headers: { authorization: `Bearer ${key}` } });
  const media = String(((await uploaded.json()) as Record<string, unknown>)['id']);
  const category = await make('/categories', { name: mark });
  const folder = await make('/folders', { name: mark });
  return [
    media,
    category,
    folder,
    await make('/topics', { title: mark, category_id: category }),
    await make('/files', { name: `${mark}.md`, content: mark, parent_id: folder }),
    await make('/queues', { name: mark, slots: [{ days: ['mon'], time: '09:00' }] }),
    await make('/designs', { name: mark, template_id: 'quote-card', pages: [{ texts: { quote: mark } }] }),
    await make('/posts', {
      caption: mark,
      media_ids: [media],
      status: 'SCHEDULED',
      scheduled_publish_time: '2099-01-01T00:00:00Z',
    }),
  ];
}

const copyOfAll = async (texts: readonly string[]) =>
  Object.fromEntries(await Promise.all([...databases].map(async ([name, db]) => [name, await copyOf(db, texts, MOVING)] as const)));
const leftOf = async (texts: readonly string[], more: readonly string[] = []) => {
  const except = [...REMAINS.except, ...more];
  const found = await Promise.all([...databases].map(async ([name, db]) => [name, await findEverywhere(db, texts, { except })] as const));
  return found.filter(([, left]) => left.length > 0);
};
const deletionOf = async (id: string) => {
  const { operator } = platform;
  const { deletions } = await operator.gateway.listDeletions({ pageSize: 100 }, operator.as());
  return deletions.find((deletion) => deletion.id === id);
};
/** What an operator does for somebody who does not want to wait. */
async function finish(id: string): Promise<void> {
  const { code, out } = await runAdmin(platform, 'deletions', 'finish', '--id', id, '--reason', 'A test');
  expect({ code, out: JSON.parse(out) as unknown }).toMatchObject({ code: 0, out: { id, state: 'pending' } });
}
const untilErased = (id: string) => eventually(async () => (await deletionOf(id))?.state === 'DELETION_STATE_ERASED', 180_000);
const parked = (id: string) =>
  eventually(async () => {
    const post = await databases.get('content')?.collection<{ _id: string }>('posts').findOne({ _id: id });
    return ((post as { next_due_at?: Date } | null)?.next_due_at?.getUTCFullYear() ?? 0) > 2999;
  });

test('a post that becomes due while its business is being deleted waits, and is published when it is restored', async () => {
  const { tenant, fanfare, sandbox } = platform;
  const path = `/api/businesses/${tenant.business_id}`;
  const { id } = await fanfare.posts.create(tenant.business_id, {
    caption: 'Due while deleted',
    restrict_publish_to: ['x'],
    status: 'SCHEDULED',
    scheduled_publish_time: new Date(Date.now() + 10_000).toISOString(),
  });
  const before = await readPost(platform, id);
  const accepted = await owner('DELETE', path);
  expect(accepted).toMatchObject({ status: 202, body: { deletion: { published_posts: 'stay_on_platforms' } } });
  await parked(id);
  expect(await readPost(platform, id)).toEqual(before);
  expect((await owner('PATCH', path, { tone: 'Dry' })).status).toBe(409);
  expect(await sandbox.posts('Due while deleted')).toEqual([]);

  expect((await owner('POST', `${path}/restore`, {})).body).toMatchObject({ deletion: null });
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['x success']);
  expect(await sandbox.posts('Due while deleted')).toHaveLength(1);
});

test('an erased business leaves nothing but its posts on the platforms, whatever is killed, and late events bring nothing back', async () => {
  const { tenant, foreign, sandbox, baseUrl, integrations } = platform;
  const { business_id: id, organization_id: organizationId } = tenant;
  const siblingId = await idOf(owner('POST', '/api/businesses', { name: 'Sibling' }));
  const made = await furnish(platform.api, baseUrl, tenant.api_key, id, 'Erased 1');
  await furnish(platform.api, baseUrl, tenant.api_key, siblingId, 'Kept 2');
  await furnish(foreign.api, baseUrl, foreign.api_key, foreign.business_id, 'Foreign 3');
  const published = await publish(platform, { caption: 'Stays on X', restrict_publish_to: ['x'] });
  await untilTerminal(platform, published);
  await eventually(() => peer.received(topics.publicationRequested).some(({ data }) => data.postId === published));
  // One is being published when the business is deleted: Facebook has it, and holds the response. The publisher waits for a minute, longer than for X.
  const held = await sandbox.fault('facebook.create_feed_post', { type: 'hold_after' });
  const running = await publish(platform, { caption: 'Finished first', restrict_publish_to: ['facebook'] });
  await held.untilHolding();
  expect((await owner('DELETE', `/api/businesses/${id}`)).status).toBe(202);
  const others = [siblingId, foreign.business_id, foreign.organization_id];
  const before = await copyOfAll(others);
  await finish(id);
  await eventually(async () => (await deletionOf(id))?.waitingFor?.startsWith('publisher: 1 deliveries'));
  expect((await platform.api('GET', `/api/businesses/${id}`)).status).toBe(404);

  await Promise.all([platform.kill('gateway'), platform.kill('library')]);
  await held.remove();
  await platform.start('gateway');
  await platform.kill('content');
  await Promise.all([platform.start('content'), platform.start('library')]);
  await untilErased(id);
  expect(await sandbox.posts('Finished first')).toHaveLength(1);
  expect(await sandbox.posts('Stays on X')).toHaveLength(1);
  expect((await sandbox.requests({ platform: 'x', path: 'revoke' })).length).toBeGreaterThan(0);

  const ids = [id, ...made, published, running, ...Object.values(integrations)];
  // The organization has a log of what was erased.
  const left = () => leftOf(ids, ['audit_entries', 'ledger_anchors']);
  expect(await left()).toEqual([]);
  expect(await copyOfAll(others)).toEqual(before);
  const verified = await runAdmin(platform, 'ledger', 'verify', '--organization', organizationId);
  expect(verified.code).toBe(0);

  // Kafka delivers what content had emitted, once more: as other events, which no inbox recognizes.
  const late = peer.received(topics.publicationRequested).filter(({ businessId }) => businessId === id);
  const changes = peer.received(topics.postChanged).filter(({ businessId }) => businessId === id);
  expect(late.length * changes.length).toBeGreaterThan(0);
  await peer.emit(
    topics.publicationRequested,
    late.map((event) => ({ emission: event, data: event.data })),
  );
  await peer.emit(
    topics.postChanged,
    changes.map((event) => ({ emission: event, data: event.data })),
  );
  await eventually(() => peer.received(topics.postChanged).length >= 2 * changes.length);
  await eventually(() => peer.received(topics.publicationRequested).length >= 2 * late.length);
  for (const path of ['posts', 'queues', 'media']) {
    expect((await platform.api('GET', `/api/businesses/${siblingId}/${path}`)).body).toMatchObject({
      items: expect.arrayContaining([expect.anything()]),
    });
  }
  expect(await left()).toEqual([]);
  expect(await sandbox.posts('Stays on X')).toHaveLength(1);
});

test('an organization is exported as GET returns it, and erased; nothing of another one changes', async () => {
  const { tenant, foreign, sandbox, baseUrl } = platform;
  const { organization_id: id, api_key: key } = tenant;
  const businessId = String((await owner<{ items: { id: string }[] }>('GET', '/api/businesses')).body.items[0]?.id);
  const { body: webhook } = await platform.api('POST', '/api/webhooks', { url: `${sandbox.url}/_webhooks/erased`, events: ['*'] });
  const exported = `/api/organizations/${id}/export`;
  const { body: deleted } = await platform.api<PostBody>('POST', `/api/businesses/${businessId}/posts`, { caption: 'Deleted' });
  expect((await platform.api('DELETE', `/api/businesses/${businessId}/posts/${deleted.id}`)).status).toBeLessThan(300);
  const begun = await owner('GET', exported);
  expect([begun.status, begun.headers.get('location')]).toEqual([202, expect.stringContaining(exported)]);
  // Killed while it makes the archive, or before, or after.
  await platform.kill('gateway');
  await platform.start('gateway');
  const { body: done } = await eventually(async () => {
    const response = await owner('GET', exported);
    return response.body['status'] === 'completed' && response;
  });
  expect(done['id']).toBe(begun.body['id']);
  const response = await fetch(String(done['url']));
  expect(response.headers.get('content-type')).toBe('application/zip');
  const archive = Buffer.from(await response.arrayBuffer());
  expect(archive.length).toBe(done['size_bytes']);
  const files = await unzip(archive);
  for (const [name, path] of [
    ['webhooks', '/api/webhooks'],
    ['members', '/api/members?limit=100'],
    ['keys', '/api/keys?limit=100'],
    ...['posts', 'media', 'topics', 'categories', 'queues', 'designs', 'folders'].map(
      (one) => [`businesses/${businessId}/${one}`, `/api/businesses/${businessId}/${one}?limit=100`] as const,
    ),
  ] as const) {
    const lines = (files.get(`${name}.jsonl`) ?? '').trimEnd().split('\n');
    const { items } = (await owner<{ items: unknown[] }>('GET', path)).body;
    expect([name, withoutUse(lines.map((line) => JSON.parse(line) as unknown))]).toEqual([name, withoutUse(items)]);
  }
  const [post] = (files.get(`businesses/${businessId}/posts.jsonl`) ?? '').split('\n').map((line) => JSON.parse(line || '{}') as PostBody);
  const entries = (files.get(`businesses/${businessId}/timelines.jsonl`) ?? '').trimEnd().split('\n');
  const ofDeleted = entries
    .map((line) => JSON.parse(line) as { post_id: string; kind: string })
    .filter(({ post_id }) => post_id === deleted.id);
  expect(ofDeleted.map(({ kind }) => kind)).toEqual(['created', 'deleted']);
  expect(entries.length).toBeGreaterThan(ofDeleted.length);
  const url = String(post?.media_details[0]?.url);
  expect((await fetch(url)).status).toBe(200);
  const whole = [...files.values()].join('\n');
  for (const secret of [key, String(webhook['secret'])]) expect(whole).not.toContain(secret);

  expect((await platform.api('POST', '/api/test/clock', { advance_by: 'PT1H' })).status).toBe(202);
  await eventually(async () => (await platform.api('GET', '/api/test/clock')).body['status'] === 'ready', 120_000);
  const before = await copyOfAll([foreign.organization_id, foreign.business_id]);
  expect((await owner('DELETE', `/api/organizations/${id}?confirm_name=Test`)).status).toBe(202);
  await finish(id);
  await eventually(async () => (await deletionOf(id))?.state === 'DELETION_STATE_ERASING');
  await Promise.all([platform.kill('publisher'), platform.kill('gateway')]);
  await Promise.all([platform.start('publisher'), platform.start('gateway')]);
  await untilErased(id);

  expect((await platform.api('GET', '/api/businesses')).status).toBe(401);
  expect((await owner('GET', '/api/me')).status).toBe(401);
  expect((await fetch(url)).status).toBe(404);
  expect((await fetch(String(done['url']))).status).toBe(404);
  expect(await leftOf([id, businessId, tenant.business_id, String(webhook['id']), ...Object.values(platform.integrations)])).toEqual([]);
  expect(await copyOfAll([foreign.organization_id, foreign.business_id])).toEqual(before);
  const { items } = (await createApi(baseUrl, foreign.api_key)<{ items: object[] }>('GET', `/api/businesses/${foreign.business_id}/posts`))
    .body;
  expect(items).toMatchObject([{ caption: 'Foreign 3' }]);
});

/** When a key was last used is written with a delay. */
const withoutUse = (items: unknown[]): unknown[] =>
  items.map((item) => ('last_used_at' in (item as object) ? { ...(item as object), last_used_at: 'later' } : item));
