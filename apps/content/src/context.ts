import { GenerationServiceService } from '@fanfare/contracts/generation';
import { LibraryServiceService } from '@fanfare/contracts/library';
import { createClosedReader, type ClosedReader } from '@fanfare/erasure';
import { keepLedger } from '@fanfare/ledger';
import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { createRpcClient, type Client } from '@fanfare/rpc';
import { createHealth, type Health, type Logger, createPeerTls, type PeerTls } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Config } from './config.ts';
import { migrations } from './migrations.ts';

/** What all parts of this service share. Constructed only here. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  /** TLS between our services; undefined only if all of them listen on loopback. */
  readonly peerTls: PeerTls | undefined;
  readonly mongo: Mongo;
  readonly db: Db;
  readonly library: Client<typeof LibraryServiceService>;
  /** Owns the designs that posts take their media from. */
  readonly generation: Client<typeof GenerationServiceService>;
  /** What is closed because it is being deleted, at most a second old. */
  readonly closed: ClosedReader;
  /** Runs writes in one transaction, then calls `afterCommit`. @param contended as that of `transaction` */
  transact<T>(work: (session: ClientSession) => Promise<T>, contended?: string): Promise<T>;
  /** Called after each commit. The server registers the outbox relay here. */
  readonly afterCommit: (() => void)[];
  /** Called after a post was scheduled, with its time in real time. The server registers the due loop here, which also polls every second. */
  readonly afterSchedule: ((dueAt: Date) => void)[];
  close(): Promise<void>;
}

export async function createContext(config: Config, log: Logger): Promise<Context> {
  const health = createHealth();
  const peerTls = config.peerTls && createPeerTls(config.peerTls, log);
  const mongo = await connectMongo({ ...config.mongo, service: 'content' });
  health.add('mongodb', mongo.problem);
  await migrate(mongo.db, migrations);
  await keepLedger(mongo.db, config.timelineDays);
  const library = createRpcClient({
    target: 'library',
    address: config.libraryAddress,
    definition: LibraryServiceService,
    log,
    tls: peerTls,
  });
  const generation = createRpcClient({
    target: 'generation',
    address: config.generationAddress,
    definition: GenerationServiceService,
    log,
    tls: peerTls,
  });
  const afterCommit: (() => void)[] = [];
  const afterSchedule: Context['afterSchedule'] = [];

  return {
    config,
    log,
    health,
    peerTls,
    mongo,
    db: mongo.db,
    library: library.client,
    generation: generation.client,
    closed: createClosedReader(mongo.db),
    afterCommit,
    afterSchedule,
    async transact(work, contended) {
      const result = await transaction(mongo.client, work, contended);
      for (const wake of afterCommit) wake();
      return result;
    },
    async close() {
      library.close();
      generation.close();
      peerTls?.close();
      await mongo.close();
    },
  };
}
