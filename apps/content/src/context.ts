import { GenerationServiceService } from '@fanfare/contracts/generation';
import { LibraryServiceService } from '@fanfare/contracts/library';
import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { createRpcClient, type Client } from '@fanfare/rpc';
import { createHealth, type Health, type Logger, createPeerTls, type PeerTls } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Config } from './config.ts';
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
  readonly library: Client<typeof LibraryServiceService>;
  /** Owns the designs that posts take their media from. */
  readonly generation: Client<typeof GenerationServiceService>;
  /** Runs writes in one transaction and wakes whoever waits for what it committed. */
  transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  /** Called after each commit of ours. The server hangs the outbox relay in here. */
  readonly afterCommit: (() => void)[];
  /** Called after a post was given a time. The server hangs the due loop in here, which looks every second by itself. */
  readonly afterSchedule: ((dueAt: Date) => void)[];
  close(): Promise<void>;
}

export async function createContext(config: Config, log: Logger): Promise<Context> {
  const health = createHealth();
  const peerTls = config.peerTls && createPeerTls(config.peerTls, log);
  const mongo = await connectMongo({ ...config.mongo, service: 'content' });
  health.add('mongodb', mongo.problem);
  await migrate(mongo.db, migrations);
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
    afterCommit,
    afterSchedule,
    async transact(work) {
      const result = await transaction(mongo.client, work);
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
