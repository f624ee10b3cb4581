import { topics } from '@fanfare/contracts';
import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import { createLogger } from '@fanfare/runtime';
import { eventually, startEventPeer, startTcpProxy, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { createInboxIndexes, on, startListener } from '../src/index.ts';

test('a listener starts without Kafka, reports that, and receives events when Kafka is available', async () => {
  const infra = testInfrastructure();
  const proxy = await startTcpProxy(Number(infra.kafkaBrokers[0]?.split(':')[1]));
  proxy.disconnect();
  const client = await new MongoClient(infra.mongoUrl).connect();
  const db = client.db(infra.database);
  await createInboxIndexes(db);
  const received: string[] = [];
  const listener = startListener({
    findErased: async () => new Set(),
    group: 'listener',
    subscriptions: [on<IntegrationChanged>(topics.integrationChanged, async ({ subject }) => void received.push(subject))],
    mongo: { client, db },
    settings: {
      brokers: [`127.0.0.1:${proxy.port}`],
      topicPrefix: infra.topicPrefix,
      partitions: 1,
      clientId: 'test',
      sessionTimeoutMs: 6_000,
    },
    log: createLogger('test', 'silent'),
    afterCommit: () => undefined,
  });
  const peer = await startEventPeer(infra, 'publisher', [topics.mediaChanged]);
  const emission = { subject: 'account', revision: 1, organizationId: 'o', businessId: 'b', flowId: 'f' };
  await peer.emit(topics.integrationChanged, [{ emission, data: { integration: undefined } }]);
  await eventually(() => proxy.connectionAttempts() > 1);
  expect(listener.problem()).toBe('is not connected to Kafka');

  proxy.open();
  await eventually(() => received.length > 0);
  expect(received).toEqual(['account']);
  expect(listener.problem()).toBeUndefined();

  await listener.stop();
  await peer.stop();
  await proxy.close();
  await db.dropDatabase();
  await client.close();
});

test('a listener that never reached Kafka stops', async () => {
  const infra = testInfrastructure();
  const client = await new MongoClient(infra.mongoUrl).connect();
  const listener = startListener({
    findErased: async () => new Set(),
    group: 'listener',
    subscriptions: [on(topics.integrationChanged, async () => undefined)],
    mongo: { client, db: client.db(infra.database) },
    settings: { brokers: ['127.0.0.1:1'], topicPrefix: infra.topicPrefix, partitions: 1, clientId: 'test', sessionTimeoutMs: 6_000 },
    log: createLogger('test', 'silent'),
    afterCommit: () => undefined,
  });
  await listener.stop();
  expect(listener.problem()).toBe('is not connected to Kafka');
  await client.close();
});
