// While customers continue creating, scheduling, publishing and unpublishing posts, everything fails, one after the other. Afterwards all sources agree.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ListPostsRequest } from '@fanfare/contracts/content';
import { CANARY } from '@fanfare/runtime';
import { eventually, startTcpProxy, testInfrastructure, type TcpProxy } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { disagreements, type Known } from '../../src/agreement.ts';
import { startOwnServer, type OwnServer } from '../../src/own-server.ts';
import { healthOf } from '../../src/health.ts';
import { startPlatform, type Platform } from '../../src/platform.ts';
import { outcomes, publish, readPost, untilTerminal } from '../../src/publish.ts';
import { startLoad, type Load } from './load.ts';
import { isFull, progress } from './options.ts';

const KAFKA_UNAVAILABLE_MS = isFull ? 60_000 : 20_000;
const TURNS = isFull ? 3 : 1;
/** What each is wrong by. */
const CLOCKS = { publisher: 15_000, 'publisher-2': -15_000 };

/** By default, what is half a minute old is late. */
const LATE = { LATE_AFTER_MS: '10000' };

const SERVICES = ['gateway', 'content', 'library', 'publisher', 'analytics', 'generation', 'webhooks'] as const;

let mongo: OwnServer;
let kafka: OwnServer;
/** Between the first publisher and its database. */
let database: TcpProxy;
let platform: Platform;
let health: ReturnType<typeof healthOf>;
let load: Load;
let second: string;
let before: number;
const posts: Known[] = [];

beforeAll(async () => {
  mongo = await startOwnServer('mongo');
  kafka = await startOwnServer('kafka');
  const { mongoUrl } = mongo.address;
  database = await startTcpProxy(Number(/:(\d+)/.exec(mongoUrl)?.[1]));
  const preload = pathToFileURL(path.join(import.meta.dirname, '../fixtures/wrong-clock.mjs')).href;
  const settings = (aheadMs: number, url: string) => ({
    ...{ TIME_SCALE: '0.1', DEADLINE_SCALE: '0.3', MONGODB_URL: url },
    ...{ NODE_OPTIONS: `--import ${preload}`, CLOCK_AHEAD_MS: String(aheadMs) },
  });
  const proxied = `mongodb://127.0.0.1:${database.port}/?directConnection=true`;
  const more = { ...settings(CLOCKS.publisher, proxied), ...LATE };
  platform = await startPlatform(
    { ...Object.fromEntries(SERVICES.map((name) => [name, LATE])), publisher: more, gateway: { ...LATE, CANARY_EVERY_MS: '1000' } },
    { ...testInfrastructure(), mongoUrl, kafkaBrokers: kafka.address.kafkaBrokers },
  );
  health = healthOf(platform);
  second = await platform.addReplica('publisher', settings(CLOCKS['publisher-2'], mongoUrl));
  before = (await platform.fanfare.events.list({ limit: 100 }).toArray()).length;
  await platform.fanfare.webhooks.create({ url: `${platform.sandbox.url}/_webhooks/load`, events: ['*'], ordered: true });
  load = await startLoad(platform);
}, 300_000);

afterAll(async () => {
  await platform?.stop();
  await database?.close();
  await mongo?.end();
  await kafka?.end();
});

/** Whether the canary is paused: one of its posts waits, although one that was published later is there. */
async function isCanaryPaused(): Promise<boolean> {
  const { operator } = platform;
  const openOfCanary = async () => {
    const { posts: own } = await operator.content.listPosts(ListPostsRequest.fromPartial({ pageSize: 20 }), operator.as(CANARY));
    const found = await Promise.all(
      own.map(({ id }) => operator.publisher.inspectDeliveries({ deliveryId: undefined, postId: id }, operator.as())),
    );
    return found.flatMap(({ deliveries }) => deliveries.filter(({ open }) => open));
  };
  const waiting = await openOfCanary();
  if (waiting.length === 0) return false;
  await untilTerminal(platform, await publish(platform, { caption: `Probe ${performance.now()}`, restrict_publish_to: ['facebook'] }));
  const fences = new Map(waiting.map(({ id, fence }) => [id, fence]));
  const left = await openOfCanary();
  return left.length === waiting.length && left.every(({ id, fence }) => fences.get(id) === fence);
}

/** Waits until customers have had that many more posts accepted. */
async function untilMore(count: number): Promise<void> {
  const enough = load.count() + count;
  await eventually(() => load.count() >= enough);
}

test('every service is killed in turn', async () => {
  for (let turn = 0; turn < TURNS; turn++) {
    const starting: Promise<void>[] = [];
    for (const service of SERVICES) {
      await untilMore(1);
      await platform.kill(service);
      // The next one dies while this one is starting.
      const started = platform.start(service);
      started.catch(() => undefined);
      starting.push(started);
      progress(`${service} was killed, ${load.count()} posts`);
    }
    await Promise.all(starting);
  }
  await untilMore(2);
}, 900_000);

test('a publisher that is suspended beyond its lease sends and writes nothing more when it is woken', async () => {
  await load.pause();
  const { sandbox, operator } = platform;
  const canary = { platform: undefined, organizationId: CANARY.organizationId, integrationId: undefined, reason: 'Only these posts' };
  await operator.publisher.putPause(canary, operator.as());
  // The first one has to lease them.
  await platform.signal(second, 'SIGSTOP');
  await eventually(isCanaryPaused);
  const [unsent, sent] = ['It was suspended before the platform had the post.', 'It was suspended before it got the response.'];
  const held = [];
  const ids = new Map<string, string>();
  for (const [caption, type] of [
    [unsent, 'hold'],
    [sent, 'hold_after'],
  ] as const) {
    const fault = await sandbox.fault('x.create_post', { type });
    ids.set(caption, await publish(platform, { caption, restrict_publish_to: ['x'] }));
    await fault.untilHolding();
    held.push(fault);
  }
  const unbegun = 'It was suspended after it had stored that it would send the post.';
  const reached = database.blockResponseTo('fingerprint');
  ids.set(unbegun, await publish(platform, { caption: unbegun, restrict_publish_to: ['x'] }));
  await reached;

  await platform.signal('publisher', 'SIGSTOP');
  database.release();
  await platform.signal(second, 'SIGCONT');
  const of = async (caption: string) => outcomes(await untilTerminal(platform, ids.get(caption)!));
  // X cannot prove that a post does not exist.
  expect(await of(unsent)).toEqual(['x failed unknown_outcome']);
  expect(await of(unbegun)).toEqual(['x failed unknown_outcome']);
  expect(await of(sent)).toEqual(['x success']);

  for (const fault of held) await fault.remove();
  await platform.signal('publisher', 'SIGCONT');
  // It has done whatever it does when it can publish again.
  await platform.signal(second, 'SIGSTOP');
  const afterwards = await publish(platform, { caption: 'It was woken.', restrict_publish_to: ['x'] });
  expect(outcomes(await untilTerminal(platform, afterwards))).toEqual(['x success']);
  await platform.signal(second, 'SIGCONT');
  await operator.publisher.deletePause({ id: `organization:${CANARY.organizationId}` }, operator.as());
  const requests = (await sandbox.requests({ platform: 'x', path: '/2/tweets' })).filter(({ method }) => method === 'POST');
  expect(requests.filter(({ body }) => JSON.stringify(body).includes(unbegun))).toEqual([]);
  expect(await of(sent)).toEqual(['x success']);
  expect(await sandbox.posts(sent)).toHaveLength(1);
  for (const [caption, id] of [...ids, ['It was woken.', afterwards] as const]) posts.push({ id, isIn: ({ text }) => text === caption });
  load.resume();
}, 600_000);

test(`Kafka is unavailable for ${KAFKA_UNAVAILABLE_MS / 1_000} s: posts are accepted and wait, and health and the canary report it`, async () => {
  await eventually(
    async () => (await health.canaryProblem()) === undefined && (await health.metric('fanfare_canary_runs_total{outcome="success"')) > 1,
  );
  await kafka.stop();
  const caption = 'while Kafka was unavailable';
  const waiting = await publish(platform, { caption, restrict_publish_to: ['x'] });
  posts.push({ id: waiting, isIn: ({ text }) => text === caption });
  const back = performance.now() + KAFKA_UNAVAILABLE_MS;
  await eventually(() => performance.now() > back, KAFKA_UNAVAILABLE_MS * 2);
  await eventually(async () => (await health.withLateEvents()).length === SERVICES.length);
  await eventually(health.canaryProblem);
  // They work, and would work no better without calls.
  for (const name of SERVICES)
    expect([name, await health.statusOf(name, '/readyz'), await health.statusOf(name, '/readyz/calls')]).toEqual([name, 503, 200]);
  expect(outcomes(await readPost(platform, waiting))).toEqual(['x pending']);
  await untilMore(2);

  await kafka.start();
  expect(outcomes(await untilTerminal(platform, waiting))).toEqual(['x success']);
  await eventually(async () => (await platform.fanfare.health.get()).status === 'ok');
  for (const name of SERVICES) await eventually(async () => (await health.statusOf(name, '/readyz')) === 200);
  await eventually(async () => (await health.canaryProblem()) === undefined);
  expect(await health.metric('fanfare_canary_seconds_count')).toBeGreaterThan(1);
  // Of its posts, customers see nothing, and at most the one that is being published is left.
  const { body: feed } = await platform.api('GET', '/api/events?limit=100');
  expect(JSON.stringify(feed)).not.toContain('Canary');
  const remaining = await platform.operator.content.listPosts(ListPostsRequest.fromPartial({ pageSize: 20 }), platform.operator.as(CANARY));
  expect(remaining.posts.length).toBeLessThanOrEqual(1);
}, 600_000);

test('MongoDB is restarted', async () => {
  for (let turn = 0; turn < TURNS; turn++) {
    await untilMore(2);
    await mongo.stop();
    await mongo.start();
    await untilMore(2);
  }
  await eventually(async () => (await platform.fanfare.health.get()).status === 'ok');
}, 600_000);

test('afterwards the API, the publisher, timelines, events, webhooks and the platforms agree on every post', async () => {
  posts.push(...(await load.end()));
  progress(`${posts.length} posts are compared`);
  expect(await disagreements(platform, posts, { receiver: 'load', after: before })).toEqual([]);
  await expectSnapshots();
  // Nothing failed but what cannot be known, and what depends on it.
  const expected = ['none', 'unknown_outcome', 'primary_failed', 'other_target_failed'];
  const unexpected: string[] = [];
  for (const { id } of posts)
    for (const { platform: name, error_type, error_message } of (await readPost(platform, id)).publish_results)
      if (!expected.includes(error_type ?? 'none')) unexpected.push(`${id} ${name} ${error_type}: ${error_message}`);
  expect(unexpected).toEqual([]);
}, 900_000);

/** Analytics has heard of everything that is public. */
async function expectSnapshots(): Promise<void> {
  const published = new Set<string>();
  for (const { id } of posts)
    if ((await readPost(platform, id)).publish_results.some(({ status }) => status === 'success')) published.add(id);
  const client = await new MongoClient(mongo.address.mongoUrl).connect();
  const rows = client.db(platform.settingsOf('analytics')['MONGODB_DATABASE']).collection('posts');
  await eventually(async () => {
    const known = new Set(await rows.distinct('post_id', { snapshot_at: { $exists: true } }));
    expect([...published].filter((id) => !known.has(id))).toEqual([]);
    return true;
  });
  await client.close();
}
