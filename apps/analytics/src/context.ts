import { createPlatformClient, type PlatformClient } from '@fanfare/connectors';
import { PublisherServiceService } from '@fanfare/contracts/publisher';
import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { createRpcClient, type Client } from '@fanfare/rpc';
import { createHealth, createPeerTls, type Health, type Logger, type PeerTls } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Config } from './config.ts';
import { migrations } from './migrations.ts';

/** The dependencies of this service. Constructed only here. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  /** Mutual TLS between Fanfare's processes; undefined on loopback. */
  readonly peerTls: PeerTls | undefined;
  readonly mongo: Mongo;
  readonly db: Db;
  readonly platforms: PlatformClient;
  /** Owns the connected accounts and lends their access tokens. */
  readonly publisher: Client<typeof PublisherServiceService>;
  /** Runs writes in one transaction, and wakes the loops that wait for them when it commits. */
  transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  /** Called after each committed transaction. The server adds the outbox relay. */
  readonly afterCommit: (() => void)[];
  close(): Promise<void>;
}

export async function createContext(config: Config, log: Logger): Promise<Context> {
  const health = createHealth();
  const peerTls = config.peerTls && createPeerTls(config.peerTls, log);
  const mongo = await connectMongo({ ...config.mongo, service: 'analytics' });
  health.add('mongodb', mongo.problem);
  await migrate(mongo.db, migrations);
  const publisher = createRpcClient({
    target: 'publisher',
    address: config.publisherAddress,
    definition: PublisherServiceService,
    log,
    tls: peerTls,
  });
  const platforms = createPlatformClient({
    ...config.platforms,
    onBreakerChange: (platform, state) => log.warn({ platform, state }, 'platform circuit breaker changed state'),
    onVersionRejected: (platform, version, next) =>
      log.warn({ platform, version, next }, 'the platform rejects this version of its API; configure a later one'),
  });
  const afterCommit: (() => void)[] = [];
  return {
    config,
    log,
    health,
    peerTls,
    mongo,
    db: mongo.db,
    platforms,
    publisher: publisher.client,
    afterCommit,
    async transact(work) {
      const result = await transaction(mongo.client, work);
      for (const wake of afterCommit) wake();
      return result;
    },
    async close() {
      publisher.close();
      await platforms.close();
      peerTls?.close();
      await mongo.close();
    },
  };
}
