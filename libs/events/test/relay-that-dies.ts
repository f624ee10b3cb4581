// A relay in its own process that is killed when Kafka has acknowledged, before the row can be marked.
import { createLogger } from '@fanfare/runtime';
import type { Kafka } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { createKafka, type KafkaSettings } from '../src/kafka/kafka.ts';
import { startRelay } from '../src/relay.ts';

const { mongoUrl, database, settings } = JSON.parse(process.argv[2] ?? '') as {
  mongoUrl: string;
  database: string;
  settings: KafkaSettings;
};
const log = createLogger('relay', 'silent');
const client = await new MongoClient(mongoUrl).connect();
const kafka = createKafka(settings, log);

const dying = {
  admin: () => kafka.admin(),
  producer(...options: Parameters<Kafka['producer']>) {
    const producer = kafka.producer(...options);
    const sendBatch = producer.sendBatch.bind(producer);
    producer.sendBatch = async (batch) => {
      await sendBatch(batch);
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => undefined);
    };
    return producer;
  },
} as Kafka;
startRelay({ db: client.db(database), kafka: dying, settings, log });
