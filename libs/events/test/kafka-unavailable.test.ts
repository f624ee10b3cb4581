import { topics } from '@fanfare/contracts';
import { gauge } from '@fanfare/runtime';
import { eventually, recordLog, testInfrastructure } from '@fanfare/testing';
import type { Kafka, ProducerBatch } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { appendToOutbox, createOutboxIndexes } from '../src/index.ts';
import { createKafka } from '../src/kafka/kafka.ts';
import { startRelay } from '../src/relay.ts';

const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 1, clientId: 'test', sessionTimeoutMs: 6_000, lateAfterMs: 1_000 };

test('while Kafka rejects them events wait, are counted and reported as waiting, and are sent when it accepts them', async () => {
  const client = await new MongoClient(mongoUrl).connect();
  const db = client.db(database);
  await createOutboxIndexes(db);
  const emit = (subject: string) =>
    client.withSession((session) => {
      const emission = { subject, revision: 1, organizationId: 'o', businessId: 'b', flowId: 'f' };
      return session.withTransaction(() =>
        appendToOutbox(db, session, 'test', topics.integrationChanged, emission, { integration: undefined }),
      );
    });
  for (const subject of ['one', 'two', 'three']) await emit(subject);
  const waiting = async () => (await gauge('fanfare_outbox_waiting', '').get()).values[0]?.value;

  let isUnavailable = true;
  const sent: string[] = [];
  const { log, lines } = recordLog();
  const real = createKafka(settings, log);
  const kafka = {
    admin: () => real.admin(),
    producer: () => ({
      connect: async () => undefined,
      disconnect: async () => undefined,
      async sendBatch({ topicMessages }: ProducerBatch) {
        if (isUnavailable) throw new Error('Kafka is unavailable');
        sent.push(...topicMessages!.flatMap(({ messages }) => messages.map(({ key }) => String(key))));
      },
    }),
  } as unknown as Kafka;
  const relay = startRelay({ db, kafka, settings, log });
  await eventually(() => lines.filter(({ loop }) => loop === 'outbox-relay').length >= 2);
  expect(await waiting()).toBe(3);
  // Released at once: another replica that can reach Kafka need not wait for the lease. Also events that are written while the relay waits.
  await emit('four');
  relay.wake();
  await eventually(async () => (await db.collection('outbox').countDocuments({ claimed_until: new Date(0) })) === 4);
  await eventually(() => relay.problem()?.startsWith('the oldest event in the outbox has been waiting for'));

  isUnavailable = false;
  relay.wake();
  await eventually(async () => (await waiting()) === 0);
  expect(sent).toEqual(['one', 'two', 'three', 'four']);
  expect(await db.collection('outbox').countDocuments()).toBe(0);
  await eventually(() => relay.problem() === undefined);

  // Also events that were written and not sent when it stops.
  isUnavailable = true;
  await emit('five');
  await relay.stop();
  expect(await db.collection('outbox').countDocuments({ claimed_until: new Date(0) })).toBe(1);
  await db.dropDatabase();
  await client.close();
});
