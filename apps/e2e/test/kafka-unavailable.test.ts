import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ListPostsRequest } from '@fanfare/contracts/content';
import { freePorts, startInfra, type Infra } from '@fanfare/infra';
import { CANARY } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { outcomes, publish, readPost, untilTerminal } from '../src/publish.ts';
import { healthOf } from '../src/health.ts';
import { startPlatform, type Platform } from '../src/platform.ts';

const AWAY_MS = 20_000;

const SERVICES = ['gateway', 'content', 'library', 'publisher', 'analytics', 'generation', 'webhooks'] as const;

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'fanfare-kafka-'));
const given = testInfrastructure();
let ports: { mongo: number; kafka: number };
let broker: Infra;
let platform: Platform;
let health: ReturnType<typeof healthOf>;

/** A separate broker: the shared one must stay available. */
async function startBroker(): Promise<Infra> {
  const { KAFKA_BROKERS: _, ...env } = process.env;
  const before = process.env;
  process.env = env;
  try {
    return await startInfra({ dataDir, keepData: true, ports, onProgress: () => undefined });
  } finally {
    process.env = before;
  }
}

beforeAll(async () => {
  const [mongo = 0, kafka = 0] = await freePorts(2);
  ports = { mongo, kafka };
  broker = await startBroker();
  platform = await startPlatform(
    { publisher: { TIME_SCALE: '0.1' }, gateway: { CANARY_EVERY_MS: '1000' } },
    { ...given, kafkaBrokers: broker.kafkaBrokers },
  );
  health = healthOf(platform);
});

afterAll(async () => {
  await platform?.stop();
  await broker?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('while Kafka is unavailable for 20 s posts are accepted and wait, and health and the canary report it; afterwards each is published once', async () => {
  await eventually(
    async () => (await health.canaryProblem()) === undefined && (await health.metric('fanfare_canary_runs_total{outcome="success"')) > 1,
  );
  await broker.stop();
  const ids: string[] = [];
  const back = performance.now() + AWAY_MS;
  // Posts are created and read during the whole outage.
  while (performance.now() < back) {
    if (ids.length < 20)
      ids.push(await publish(platform, { caption: `while Kafka was unavailable ${ids.length}`, restrict_publish_to: ['x'] }));
    else await readPost(platform, ids[0] ?? '');
    // A load for the whole outage, and time for other tests.
    await pause(100);
  }
  await eventually(async () => (await health.withLateEvents()).length === SERVICES.length);
  await eventually(health.canaryProblem);
  // They work, and would work no better without calls.
  for (const name of SERVICES)
    expect([name, await health.statusOf(name, '/readyz'), await health.statusOf(name, '/readyz/calls')]).toEqual([name, 503, 200]);
  const waiting = await readPost(platform, ids[0] ?? '');
  expect(outcomes(waiting)).toEqual(['x pending']);

  broker = await startBroker();
  for (const id of ids) expect(outcomes(await untilTerminal(platform, id))).toEqual(['x success']);
  const sent = (await platform.sandbox.posts()).map(({ text }) => text).filter((text) => text.startsWith('while Kafka was unavailable'));
  expect(sent).toHaveLength(ids.length);
  expect(new Set(sent).size).toBe(ids.length);
  await eventually(async () => (await platform.fanfare.health.get()).status === 'ok');
  for (const name of SERVICES) await eventually(async () => (await health.statusOf(name, '/readyz')) === 200);
  expect(await health.canaryProblem()).toBeUndefined();
  expect(await health.metric('fanfare_canary_seconds_count')).toBeGreaterThan(1);
  // Of its posts, customers see nothing, and at most the one that is being published is left.
  const { body: feed } = await platform.api('GET', '/api/events?limit=100');
  expect(JSON.stringify(feed)).not.toContain('Canary');
  const remaining = await platform.operator.content.listPosts(ListPostsRequest.fromPartial({ pageSize: 20 }), platform.operator.as(CANARY));
  expect(remaining.posts.length).toBeLessThanOrEqual(1);
});
