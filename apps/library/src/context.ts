import { createGuardedClient, type GuardedClient } from '@fanfare/guarded-http';
import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { createHealth, type Health, type Logger } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Config } from './config.ts';
import { createMediaUrls, type MediaUrls } from './domain/media-urls.ts';
import { openSpool, type Spool } from './intake/spool.ts';
import type { BlobStore } from './store/blobs/blob-store.ts';
import { createGridFs } from './store/blobs/grid-fs.ts';
import { migrations } from './store/migrations.ts';

/** Everything that the parts of this service are handed. Constructed here and nowhere else. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  readonly mongo: Mongo;
  readonly db: Db;
  readonly blobs: BlobStore;
  readonly urls: MediaUrls;
  readonly web: GuardedClient;
  readonly spool: Spool;
  /** Runs writes in one transaction and wakes whoever waits for what it committed. */
  transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  /** Called after each commit of ours. The server hangs the outbox relay in here. */
  readonly afterCommit: (() => void)[];
  /** Called whenever there is an intake more, or one was given up. The server hangs the loop that works them off in here. */
  readonly afterIntake: (() => void)[];
  close(): Promise<void>;
}

/** @param overrides for tests: a web client with a name lookup of the test's own */
export async function createContext(config: Config, log: Logger, overrides: { web?: GuardedClient } = {}): Promise<Context> {
  const health = createHealth();
  const mongo = await connectMongo({ ...config.mongo, service: 'library' });
  health.add('mongodb', mongo.problem);
  await migrate(mongo.db, migrations);
  const spool = await openSpool();
  const web = overrides.web ?? createGuardedClient({ allowedOrigins: config.fetchAllowedOrigins });

  const afterCommit: (() => void)[] = [];

  return {
    config,
    log,
    health,
    mongo,
    db: mongo.db,
    blobs: createGridFs(mongo.db),
    urls: createMediaUrls(config.urls),
    web,
    spool,
    afterCommit,
    afterIntake: [],
    async transact(work) {
      const result = await transaction(mongo.client, work);
      for (const wake of afterCommit) wake();
      return result;
    },
    async close() {
      await web.close();
      await spool.close();
      await mongo.close();
    },
  };
}
