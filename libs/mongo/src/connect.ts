import { gauge, histogram, syncClock } from '@fanfare/runtime';
import { MongoClient, type Db } from 'mongodb';

const ROUND_TRIP_PERIOD_MS = 10_000;
/** Measurements of the database's clock before anything uses it. */
const FIRST_SAMPLES = 3;

/** A service's own database; no other process opens it. */
export interface Mongo {
  readonly client: MongoClient;
  readonly db: Db;
  /** Why the database is unavailable; undefined while it is available. For `Health`. */
  problem(): string | undefined;
  close(): Promise<void>;
}

/**
 * Connects, or fails within ten seconds if MongoDB does not respond. After that, `currentTime` follows the database's clock. Writes are acknowledged by
 * a majority, so that a write which was confirmed to a client is never lost.
 */
export async function connectMongo(options: { url: string; database: string; service: string; maxPoolSize?: number }): Promise<Mongo> {
  let down: string | undefined;
  const client = new MongoClient(options.url, {
    appName: options.service,
    maxPoolSize: options.maxPoolSize ?? 32,
    serverSelectionTimeoutMS: 10_000,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: true,
    // Only our processes write, and the driver writes valid UTF-8. Validating it again takes a third of the time of reading a post.
    enableUtf8Validation: false,
  });
  // Available as long as there is a primary, even if another member of the replica set is unavailable.
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    down = [...servers.values()].some(({ isWritable }) => isWritable) ? undefined : 'MongoDB does not respond or has no primary';
  });
  measurePool(client);
  const available = gauge('fanfare_mongodb_available', '1 while MongoDB responds and has a primary, otherwise 0.');
  client.on('topologyDescriptionChanged', () => available.set(down === undefined ? 1 : 0));
  await client.connect();
  // A process that starts is busy, and its first response may be late by a second. Of several responses, the fastest one counts.
  for (let sample = 0; sample < FIRST_SAMPLES; sample++) await measureClock(client);
  const stopMeasuring = measureRoundTrips(client);
  return {
    client,
    db: client.db(options.database),
    problem: () => down,
    async close() {
      stopMeasuring();
      await client.close();
    },
  };
}

/** Measures the clock of the primary, which `$$NOW` is, and how long that took. The driver's own heartbeats cannot: the server delays its responses to them until something changes. */
async function measureClock(client: MongoClient): Promise<void> {
  const sentAt = performance.now();
  const { isWritablePrimary, localTime } = (await client.db('admin').command({ hello: 1 })) as {
    isWritablePrimary?: boolean;
    localTime?: Date;
  };
  if (isWritablePrimary && localTime) syncClock(localTime, sentAt);
}

function measureRoundTrips(client: MongoClient): () => void {
  const roundTrips = histogram('fanfare_mongodb_round_trip_seconds', 'Round trip of a command to the primary, every ten seconds.');
  const measure = async () => {
    const stop = roundTrips.startTimer();
    await measureClock(client);
    stop();
  };
  // A database that does not respond is reported by `problem`.
  const attempt = () => void measure().catch(() => undefined);
  attempt();
  const timer = setInterval(attempt, ROUND_TRIP_PERIOD_MS).unref();
  return () => clearInterval(timer);
}

/** Only the driver's events of its connections: events of commands would cost each of them time. */
function measurePool(client: MongoClient): void {
  const waits = histogram('fanfare_mongodb_checkout_seconds', 'Time that an operation or a transaction waited for a connection.');
  const inUse = gauge('fanfare_mongodb_connections_in_use', 'Connections to MongoDB that operations and transactions of this process use.');
  client.on('connectionCheckedOut', ({ durationMS }) => {
    waits.observe(durationMS / 1_000);
    inUse.inc();
  });
  client.on('connectionCheckedIn', () => inUse.dec());
}
