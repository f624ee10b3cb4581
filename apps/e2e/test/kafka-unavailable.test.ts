import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePorts, startInfra, type Infra } from '@fanfare/infra';
import { testInfrastructure } from '@fanfare/testing';
import { outcomes, publish, readPost, untilTerminal } from '../src/publish.ts';
import { startPlatform, type Platform } from '../src/platform.ts';

const AWAY_MS = 20_000;

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'fanfare-kafka-'));
const given = testInfrastructure();
let ports: { mongo: number; kafka: number };
let broker: Infra;
let platform: Platform;

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
  platform = await startPlatform({ publisher: { TIME_SCALE: '0.1' } }, { ...given, kafkaBrokers: broker.kafkaBrokers });
}, 180_000);

afterAll(async () => {
  await platform?.stop();
  await broker?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('while Kafka is unavailable for 20 s posts are accepted and wait; afterwards each is published once', async () => {
  await broker.stop();
  const ids: string[] = [];
  const back = performance.now() + AWAY_MS;
  // Posts are created and read during the whole outage.
  while (performance.now() < back) {
    if (ids.length < 20)
      ids.push(await publish(platform, { caption: `while Kafka was unavailable ${ids.length}`, restrict_publish_to: ['x'] }));
    else await readPost(platform, ids[0] ?? '');
  }
  const waiting = await readPost(platform, ids[0] ?? '');
  expect(outcomes(waiting)).toEqual(['x pending']);

  broker = await startBroker();
  for (const id of ids) expect(outcomes(await untilTerminal(platform, id, 90_000))).toEqual(['x success']);
  const sent = (await platform.sandbox.posts()).map(({ text }) => text).filter((text) => text.startsWith('while Kafka was unavailable'));
  expect(sent).toHaveLength(ids.length);
  expect(new Set(sent).size).toBe(ids.length);
}, 180_000);
