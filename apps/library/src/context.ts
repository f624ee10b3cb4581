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

/** The dependencies of all parts of this service. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  /** TLS between our services. Undefined: none, only for loopback. */
  readonly peerTls: PeerTls | undefined;
  readonly mongo: Mongo;
  readonly db: Db;
  readonly blobs: BlobStore;
  readonly urls: MediaUrls;
  readonly web: GuardedClient;
  readonly spool: Spool;
  readonly workers: Workers;
  /** Runs a transaction, then calls `afterCommit`. */
  transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  /** Runs transactions that write the same row one after another, such as those of an organization's storage, by the organization's id. */
  readonly inTurn: InTurn;
  /** Called after each transaction of this process. The server adds the outbox relay. */
  readonly afterCommit: (() => void)[];
  /** Called when an intake was added or canceled. The server adds the loop that processes intakes. */
  readonly afterIntake: (() => void)[];
  /** Called when a derivative or transcript was queued. The server adds the loops that make them. */
  readonly afterWanted: (() => void)[];
  close(): Promise<void>;
}

/** @param overrides for tests: a client with its own name lookup */
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
