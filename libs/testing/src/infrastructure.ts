import { randomBytes } from 'node:crypto';

/** Real MongoDB and Kafka, as `npm test` started them, and unique names in them: no test file sees another's data. */
export interface TestInfrastructure {
  readonly mongoUrl: string;
  readonly kafkaBrokers: readonly string[];
  /** Unique per call: the name of a database, and the prefix for others. Of a given service, it may be migrated already; it has no data. */
  readonly database: string;
  /** Unique per call: the prefix for topic and group names. `jest-environment.ts` deletes the topics at the end of the file. */
  readonly topicPrefix: string;
  /** Partitions of each topic. */
  readonly partitions: number;
}

/** What `jest-environment.ts` cleans up at the end of the file. */
export interface FileResources {
  readonly topicPrefixes: string[];
  readonly logFolders: string[];
  /** The databases of services under test. */
  readonly databases: { readonly service: string; readonly name: string; readonly seeds: readonly string[] }[];
  /** Databases that earlier files of this worker have left, migrated and without data, by service. */
  readonly leftDatabases: Map<string, string[]>;
}

const resources = () => (globalThis as { fanfareResources?: FileResources }).fanfareResources;

/**
 * @param service that the test starts: it gets a database that an earlier file has left, because creating its collections and indexes costs more than
 *   most tests
 * @param seeds the service's migrations that insert documents: they are applied again
 * @param processes number of processes of one service that share its events: each partition of a topic costs the broker files and time, and one
 *   process needs only one
 * @throws Error that explains how to run the test, if no infrastructure was provided
 */
export function testInfrastructure({
  service,
  seeds = [],
  processes = 1,
}: { service?: string; seeds?: readonly string[]; processes?: number } = {}): TestInfrastructure {
  const { MONGODB_URL, KAFKA_BROKERS } = process.env;
  if (!MONGODB_URL || !KAFKA_BROKERS) {
    throw new Error('This test needs MongoDB and Kafka. Run it with `npm test -- <path>`, or set MONGODB_URL and KAFKA_BROKERS.');
  }
  const own = `t${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  const topicPrefix = `${own}.`;
  resources()?.topicPrefixes.push(topicPrefix);
  return {
    mongoUrl: MONGODB_URL,
    kafkaBrokers: KAFKA_BROKERS.split(','),
    database: service === undefined ? `fanfare_${own}` : databaseFor(service, seeds, `fanfare_${own}`),
    topicPrefix,
    partitions: processes === 1 ? 1 : 6,
  };
}

function databaseFor(service: string, seeds: readonly string[], fresh: string): string {
  const name = resources()?.leftDatabases.get(service)?.pop() ?? fresh;
  resources()?.databases.push({ service, name, seeds });
  return name;
}

/** If a test of this file fails, the end of each log in the folder is shown. */
export function showLogsOfFailures(folder: string): void {
  resources()?.logFolders.push(folder);
}
