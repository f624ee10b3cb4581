import { createGuardedClient, type GuardedClient } from '@fanfare/guarded-http';
import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { createHealth, type Health, type Logger, createPeerTls, type PeerTls } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Config } from './config.ts';
import { createMediaUrls, type MediaUrls } from './media/domain/media-urls.ts';
import { createInTurn, type InTurn } from './in-turn.ts';
import { openSpool, type Spool } from './intake/spool.ts';
import { createWorkers, type Workers } from './processes/workers.ts';
import type { BlobStore } from './blobs/store/blob-store.ts';
import { openBlobStore } from './blobs/store/open-blob-store.ts';
import { migrations } from './migrations.ts';

/** Everything that the parts of this service are handed. Constructed here and nowhere else. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  /** How our processes know each other; undefined on loopback alone. */
  readonly peerTls: PeerTls | undefined;
  readonly mongo: Mongo;
  readonly db: Db;
  readonly blobs: BlobStore;
  readonly urls: MediaUrls;
  readonly web: GuardedClient;
  readonly spool: Spool;
  readonly workers: Workers;
  /** Runs writes in one transaction and wakes whoever waits for what it committed. */
  transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  /** For transactions that write what many write at once, such as an organization's storage: by its id. */
  readonly inTurn: InTurn;
  /** Called after each commit of ours. The server hangs the outbox relay in here. */
  readonly afterCommit: (() => void)[];
  /** Called whenever there is an intake more, or one was given up. The server hangs the loop that works them off in here. */
  readonly afterIntake: (() => void)[];
  /** Called whenever there is a derivative or transcript more to be made. The server hangs the loops that make them in here. */
  readonly afterWanted: (() => void)[];
  close(): Promise<void>;
}

/** @param overrides for tests: a web client with a name lookup of the test's own */
export async function createContext(config: Config, log: Logger, overrides: { web?: GuardedClient } = {}): Promise<Context> {
  const health = createHealth();
  const peerTls = config.peerTls && createPeerTls(config.peerTls, log);
  const mongo = await connectMongo({ ...config.mongo, service: 'library' });
  health.add('mongodb', mongo.problem);
  await migrate(mongo.db, migrations);
  const spool = await openSpool(config.spoolDirectory);
  const workers = await createWorkers({ ...config.workers, log });
  const web = overrides.web ?? createGuardedClient({ allowedOrigins: config.fetchAllowedOrigins });

  const blobs = openBlobStore(mongo.db, config.blobs);
  const afterCommit: (() => void)[] = [];

  return {
    config,
    log,
    health,
    peerTls,
    mongo,
    db: mongo.db,
    blobs,
    urls: createMediaUrls(config.urls),
    web,
    spool,
    workers,
    inTurn: createInTurn(),
    afterCommit,
    afterIntake: [],
    afterWanted: [],
    async transact(work) {
      const result = await transaction(mongo.client, work);
      for (const wake of afterCommit) wake();
      return result;
    },
    async close() {
      await web.close();
      workers.close();
      await spool.close();
      blobs.close();
      peerTls?.close();
      await mongo.close();
    },
  };
}
