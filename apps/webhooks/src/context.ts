import { createGuardedClient, type GuardedClient } from '@fanfare/guarded-http';
import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { createUrls, type Urls } from '@fanfare/resources';
import {
  createHealth,
  createKeyring,
  createPeerTls,
  grouped,
  type Health,
  type Keyring,
  type Logger,
  type PeerTls,
} from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Config } from './config.ts';
import { storeOutcomes, type Outcome } from './deliveries/store/deliveries.ts';
import { markQueued } from './endpoints/store/endpoints.ts';
import { createArrivals, type Arrivals } from './feed/arrivals.ts';
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
  /** The URLs in resources. */
  readonly urls: Urls;
  /** Notifies callers who wait for events. */
  readonly arrivals: Arrivals;
  readonly keyring: Keyring;
  /** For the URLs of endpoints. */
  readonly web: GuardedClient;
  /** Stores what became of an attempt, together with those of other deliveries. */
  storeOutcome(one: { readonly id: string; readonly outcome: Outcome }): Promise<void>;
  /** Makes endpoints due, soon, because deliveries were added. If this process dies before, `startSweep` finds them. */
  markQueued(endpointIds: readonly string[]): void;
  /** Runs writes in one transaction, and wakes the loops that wait for them when it commits. */
  transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  /** Called after each committed transaction. The server adds the outbox relay and the sender. */
  readonly afterCommit: (() => void)[];
  close(): Promise<void>;
}

export async function createContext(config: Config, log: Logger): Promise<Context> {
  const health = createHealth();
  const peerTls = config.peerTls && createPeerTls(config.peerTls, log);
  const mongo = await connectMongo({ ...config.mongo, service: 'webhooks' });
  health.add('mongodb', mongo.problem);
  await migrate(mongo.db, migrations);
  const keyring = createKeyring(config.keyring);
  const arrivals = createArrivals(mongo.db, config.pollMs, log);
  const web = createGuardedClient({ allowedOrigins: config.sending.allowedOrigins });
  const afterCommit: (() => void)[] = [arrivals.wake];
  const mark = grouped<string, void>({
    most: 1_000,
    keyOf: (id) => id,
    async work(ids) {
      await markQueued(mongo.db, ids);
      for (const wake of afterCommit) wake();
      return ids.map(() => ({ status: 'fulfilled', value: undefined }));
    },
  });
  return {
    config,
    log,
    health,
    peerTls,
    mongo,
    db: mongo.db,
    urls: createUrls(config),
    arrivals,
    keyring,
    web,
    storeOutcome: grouped({
      most: 100,
      keyOf: ({ id }) => id,
      work: async (all) => {
        await storeOutcomes(mongo.db, all);
        return all.map(() => ({ status: 'fulfilled', value: undefined }));
      },
    }),
    markQueued(ids) {
      for (const id of ids)
        mark(id).catch((error: unknown) => log.warn({ err: error, endpoint_id: id }, 'an endpoint is due a little later'));
    },
    afterCommit,
    async transact(work) {
      const result = await transaction(mongo.client, work);
      for (const wake of afterCommit) wake();
      return result;
    },
    async close() {
      await arrivals.stop();
      await web.close();
      peerTls?.close();
      await mongo.close();
    },
  };
}
