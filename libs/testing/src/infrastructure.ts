import { randomBytes } from 'node:crypto';

/** Real MongoDB and Kafka, as `npm test` started them, and unique names in them: no test file sees another's data. */
export interface TestInfrastructure {
  readonly mongoUrl: string;
  readonly kafkaBrokers: readonly string[];
  /** The name of a database that no other test uses now, without data, and the prefix for others. That of a given service may be migrated already. */
  readonly database: string;
  /** Leaves the database of the given service to later files. To be called when the service has stopped; otherwise it is dropped at the end of the file. */
  leaveDatabase(): void;
  /** Unique per call: the prefix for topic and group names. `jest-environment.ts` deletes the topics at the end of the file. */
  readonly topicPrefix: string;
  /** Partitions of each topic. */
  readonly partitions: number;
}

export interface UsedDatabase {
  readonly service: string;
  readonly name: string;
  /** The service's migrations that insert documents. */
  readonly seeds: readonly string[];
  /** Whether a later file may use it. */
  isLeft: boolean;
}

/** Set for a whole run of tests. Begins the names of its databases, so that all can be dropped at the end. */
export const TEST_RUN = 'FANFARE_TEST_RUN';

/** What `jest-environment.ts` cleans up at the end of the file. */
export interface FileResources {
  readonly topicPrefixes: string[];
  readonly logFolders: string[];
  /** The databases of services under test. */
  readonly databases: UsedDatabase[];
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
  const own = `${process.env[TEST_RUN] ?? 't'}${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  const topicPrefix = `${own}.`;
  resources()?.topicPrefixes.push(topicPrefix);
  const used = service === undefined ? undefined : databaseFor(service, seeds, `fanfare_${own}`);
  return {
    mongoUrl: MONGODB_URL,
    kafkaBrokers: KAFKA_BROKERS.split(','),
    database: used?.name ?? `fanfare_${own}`,
    leaveDatabase() {
      if (used) used.isLeft = true;
    },
    topicPrefix,
    partitions: processes === 1 ? 1 : 6,
  };
}

function databaseFor(service: string, seeds: readonly string[], fresh: string): UsedDatabase {
  const used = { service, name: resources()?.leftDatabases.get(service)?.pop() ?? fresh, seeds, isLeft: false };
  resources()?.databases.push(used);
  return used;
}

/** If a test of this file fails, the end of each log in the folder is shown. */
export function showLogsOfFailures(folder: string): void {
  resources()?.logFolders.push(folder);
}
