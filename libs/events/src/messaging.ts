import type { Logger } from '@fanfare/runtime';
import type { Db, MongoClient } from 'mongodb';
import { createKafka, lateAfterMsOf, type KafkaSettings } from './kafka/kafka.ts';
import { startListener } from './listener.ts';
import { startRelay, type Relay } from './relay.ts';
import type { FindErased, Subscription } from './subscription.ts';
import { watchKafka } from './watch/watch-kafka.ts';

/** A service's connection to Kafka: its relay and its listener. */
export interface Messaging {
  readonly relay: Relay;
  /** Why events are not sent or received now; undefined while they are. */
  problem(): string | undefined;
  /** Stops consuming first, so that the events of the last handlers are still relayed. */
  stop(): Promise<void>;
}

/** Starts both in the background, with or without Kafka. They create missing topics. */
export function startMessaging(options: {
  group: string;
  subscriptions: readonly Subscription[];
  /** Events of erased businesses and organizations have no effect. */
  findErased: FindErased;
  mongo: { client: MongoClient; db: Db };
  settings: KafkaSettings;
  log: Logger;
  /** The time after the newest event, in milliseconds, in which others gather; see `startConsumer`. Default: none. */
  gatherMs?: number;
  /** Whether test clocks wait until this service has seen an event; see `clockedEvents`. Default: no. */
  followsClocks?: boolean;
  afterCommit: () => void;
}): Messaging {
  const { mongo, settings, log } = options;
  const relay = startRelay({ db: mongo.db, kafka: createKafka(settings, log), settings, log });
  const afterCommit = () => {
    relay.wake();
    options.afterCommit();
  };
  const listener = startListener({ ...options, afterCommit });
  return {
    relay,
    problem: () => listener.problem() ?? relay.problem(),
    async stop() {
      await listener.stop();
      await relay.stop();
    },
  };
}

/** The outbox only, for a service that consumes no events. It creates missing topics. */
export function startPublishing({
  mongo,
  settings,
  log,
}: {
  mongo: { client: MongoClient; db: Db };
  settings: KafkaSettings;
  log: Logger;
}): Relay {
  const relay = startRelay({ db: mongo.db, kafka: createKafka(settings, log), settings, log });
  const watch = watchKafka({ createAdmin: () => createKafka(settings, log, 0).admin(), log, lateAfterMs: lateAfterMsOf(settings) });
  return {
    ...relay,
    problem: () => relay.problem() ?? watch.problem(),
    async stop() {
      await Promise.all([relay.stop(), watch.stop()]);
    },
  };
}
