import { syncClock } from '@fanfare/runtime';
import { MongoClient, type Db } from 'mongodb';

/** A service's own database; no other process opens it. */
export interface Mongo {
  readonly client: MongoClient;
  readonly db: Db;
  /** Why it cannot be used now; undefined while it can. For `Health`. */
  problem(): string | undefined;
  close(): Promise<void>;
}

/**
 * Connects, and fails within ten seconds when nothing responds. From then on the process goes by the database's clock (`currentTime`). Writes are acknowledged by a majority, so that what was answered is never lost.
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
    // Only our processes write, and the driver writes valid UTF-8: looking at each character again is a third of the time that reading a post takes.
    enableUtf8Validation: false,
  });
  // The set as a whole, not each server: while one member of a replica set is away, the others serve us.
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    down = [...servers.values()].some(({ isWritable }) => isWritable) ? undefined : 'MongoDB does not respond or has no primary';
  });
  // The first comes while connecting, the others every ten seconds. `$$NOW` is the clock of the primary.
  client.on('serverHeartbeatSucceeded', ({ reply }) => {
    const { isWritablePrimary, localTime } = reply as { isWritablePrimary?: boolean; localTime?: Date };
    if (isWritablePrimary && localTime) syncClock(localTime);
  });
  await client.connect();
  return { client, db: client.db(options.database), problem: () => down, close: () => client.close() };
}
