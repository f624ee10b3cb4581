import { readFileSync } from 'node:fs';
import type { Logger } from '@fanfare/runtime';
import {
  Kafka,
  logLevel,
  type Admin,
  type KafkaJSAggregateError,
  type KafkaJSProtocolError,
  type LogEntry,
  type SASLOptions,
} from 'kafkajs';
import { stopIdleTimer } from './kafkajs-idle-timer.ts';

/** Where Kafka is, and how this deployment names its topics. */
export interface KafkaSettings {
  readonly brokers: readonly string[];
  /** Prefix of every topic and group name, so that several installations can share a cluster. */
  readonly topicPrefix: string;
  /** Partitions of the topics that it creates: so many replicas of a service can share a topic's events. */
  readonly partitions: number;
  readonly clientId: string;
  /** After this many milliseconds a dead consumer loses its partitions. */
  readonly sessionTimeoutMs: number;
  /** From this age on an event that is not sent or not handled is late. Default: 30 s. */
  readonly lateAfterMs?: number;
  /** PEM files. Without any, public CAs are trusted, and the process sends no client certificate. Undefined: no TLS. */
  readonly tls?:
    { readonly caFile?: string | undefined; readonly certFile?: string | undefined; readonly keyFile?: string | undefined } | undefined;
  readonly sasl?:
    { readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; readonly username: string; readonly password: string } | undefined;
}

/**
 * kafkajs logs each rejected request although it also throws, and then retries or reports. While topics and groups are created, some requests are
 * rejected.
 */
const OF_REQUESTS = 'Connection';
const LEVELS = { [logLevel.ERROR]: 'error', [logLevel.WARN]: 'warn' } as const;

export const lateAfterMsOf = ({ lateAfterMs = 30_000 }: KafkaSettings): number => lateAfterMs;

/** @param retries how often a failed request is retried, with growing delays, before it fails */
export function createKafka(settings: KafkaSettings, log: Logger, retries = 8): Kafka {
  stopIdleTimer();
  return new Kafka({
    brokers: [...settings.brokers],
    clientId: settings.clientId,
    ...(settings.tls && { ssl: sslOf(settings.tls) }),
    ...(settings.sasl && { sasl: settings.sasl as SASLOptions }),
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ level, namespace, log: { message, error } }: LogEntry) =>
        log[namespace === OF_REQUESTS ? 'warn' : (LEVELS[level as keyof typeof LEVELS] ?? 'debug')](
          { kafka: namespace, error: error as unknown },
          message,
        ),
    retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries, restartOnFailure: async () => true },
  });
}

/** kafkajs copies these options for each connection, and so reads the files again: a renewed certificate needs no restart. */
function sslOf({ caFile, certFile, keyFile }: NonNullable<KafkaSettings['tls']>) {
  const now = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file));
  const options = {
    rejectUnauthorized: true,
    get ca() {
      return now(caFile);
    },
    get cert() {
      return now(certFile);
    },
    get key() {
      return now(keyFile);
    },
  };
  [caFile, certFile, keyFile].forEach(now); // A file that cannot be read must stop the process when it starts.
  return options;
}

/** The name of a topic in this deployment. */
export const topicName = (settings: KafkaSettings, name: string): string => settings.topicPrefix + name;

/** The dead letter topic of a consumer group. One per group, so that replaying its records affects no other group. */
export const deadLetterTopicName = (settings: KafkaSettings, group: string): string => `${settings.topicPrefix}dead-letters.${group}`;

/** A snapshot of a post may be as large as the largest request, 1 MiB, before compression. */
const MAX_MESSAGE_BYTES = 4 << 20;
const BROKERS_LIMIT_MS = 30_000;
const LEADERS_LIMIT_MS = 30_000;

/**
 * Calls a broker once. Use it before the first call that kafkajs would retry many times, because a stop has to wait for these retries.
 * @throws KafkaJSError if no broker is reachable
 */
export async function checkKafka(settings: KafkaSettings, log: Logger): Promise<void> {
  const admin = createKafka(settings, log, 0).admin();
  try {
    await admin.connect();
  } finally {
    await admin.disconnect();
  }
}

/** Creates missing topics. Replicas that start at the same time do not interfere with each other. */
export async function ensureTopics(kafka: Kafka, topics: readonly string[], partitions: number, replicationFactor = -1): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !existing.has(topic));
    if (missing.length > 0) await create(admin, missing, partitions, replicationFactor);
    await waitForLeaders(admin, topics);
  } finally {
    await admin.disconnect();
  }
}

async function create(admin: Admin, missing: readonly string[], numPartitions: number, replicationFactor: number): Promise<void> {
  const end = performance.now() + BROKERS_LIMIT_MS;
  for (;;) {
    try {
      await admin.createTopics({
        waitForLeaders: false,
        topics: missing.map((topic) => ({
          topic,
          numPartitions,
          replicationFactor,
          configEntries: [{ name: 'max.message.bytes', value: String(MAX_MESSAGE_BYTES) }],
        })),
      });
      return;
    } catch (error) {
      if (!lacksBrokers(error) || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * While a cluster starts, or a broker is unreachable for a moment, it has fewer brokers than a topic needs replicas, and returns
 * INVALID_REPLICATION_FACTOR.
 */
function lacksBrokers(error: unknown): boolean {
  const { errors } = error as Partial<KafkaJSAggregateError>;
  const types = errors?.map((one) => (one as Partial<KafkaJSProtocolError>).type ?? '') ?? [''];
  return types.every((type) => type === 'INVALID_REPLICATION_FACTOR' || type === 'TOPIC_ALREADY_EXISTS');
}

/** A topic that was just created, by this process or another replica, is not available at once. */
async function waitForLeaders(admin: Admin, topics: readonly string[]): Promise<void> {
  const end = performance.now() + LEADERS_LIMIT_MS;
  for (;;) {
    try {
      const metadata = await admin.fetchTopicMetadata({ topics: [...topics] });
      if (metadata.topics.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0))) return;
      if (performance.now() > end) throw new Error('the new topics have no leader');
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
