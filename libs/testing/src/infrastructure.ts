import { randomBytes } from 'node:crypto';

/** Real MongoDB and Kafka, as `npm test` started them, and unique names in them: no test file sees another's data. */
export interface TestInfrastructure {
  readonly mongoUrl: string;
  readonly kafkaBrokers: readonly string[];
  /** Unique per call: the prefix for database names. */
  readonly database: string;
  /** Unique per call: the prefix for topic and group names. `jest-environment.ts` deletes the topics at the end of the file. */
  readonly topicPrefix: string;
  /** Partitions of each topic. */
  readonly partitions: number;
}

/**
 * @param processes number of processes of one service that share its events: each partition of a topic costs the broker files and time, and one
 *   process needs only one
 * @throws Error that explains how to run the test, if no infrastructure was provided
 */
export function testInfrastructure({ processes = 1 } = {}): TestInfrastructure {
  const { MONGODB_URL, KAFKA_BROKERS } = process.env;
  if (!MONGODB_URL || !KAFKA_BROKERS) {
    throw new Error('This test needs MongoDB and Kafka. Run it with `npm test -- <path>`, or set MONGODB_URL and KAFKA_BROKERS.');
  }
  const own = `t${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  const topicPrefix = `${own}.`;
  (globalThis as { fanfareTopicPrefixes?: string[] }).fanfareTopicPrefixes?.push(topicPrefix);
  return {
    mongoUrl: MONGODB_URL,
    kafkaBrokers: KAFKA_BROKERS.split(','),
    database: `fanfare_${own}`,
    topicPrefix,
    partitions: processes === 1 ? 1 : 6,
  };
}

/** If a test of this file fails, the end of each log in the folder is shown. */
export function showLogsOfFailures(folder: string): void {
  (globalThis as { fanfareLogFolders?: string[] }).fanfareLogFolders?.push(folder);
}
