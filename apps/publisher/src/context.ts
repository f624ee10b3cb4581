import { createPlatformClient, type PlatformClient } from '@fanfare/connectors';
import { LibraryServiceService } from '@fanfare/contracts/library';
import { createClosedReader, type ClosedReader } from '@fanfare/erasure';
import { keepLedger } from '@fanfare/ledger';
import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { createRpcClient, type Client } from '@fanfare/rpc';
import { createHealth, createKeyring, type Health, type Keyring, type Logger, createPeerTls, type PeerTls } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Dispatcher } from 'undici';
import type { Config } from './config.ts';
import { createPauseReader } from './pauses/create-pause-reader.ts';
import { createInsideHttp } from './content/inside-http.ts';
import { mostOfPlatform } from './concurrency/slots.ts';
import { createPlatformLimits, type PlatformLimits } from './concurrency/platform-limits.ts';
import { platformBreakerOpen, platformVersionRejected } from './metrics.ts';
import { migrations } from './migrations.ts';
import type { Paused } from './pauses/domain/paused.ts';

/** The dependencies of this service's parts. Constructed here and nowhere else. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  /** Mutual TLS between our processes; undefined on loopback. */
  readonly peerTls: PeerTls | undefined;
  readonly mongo: Mongo;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly platforms: PlatformClient;
  /** Calls the canary's sandbox; undefined if it has none. */
  readonly canaryPlatforms: PlatformClient | undefined;
  /** Set in the context of the canary's own work (`contextFor`), whose `platforms` are these. */
  readonly isForCanary?: true;
  readonly platformLimits: PlatformLimits;
  readonly library: Client<typeof LibraryServiceService>;
  /** HTTP client for the library's media port. */
  readonly insideHttp: Dispatcher;
  /** What is closed because it is being deleted, at most a second old. */
  readonly closed: ClosedReader;
  /** What operators have paused, at most a second old. */
  readonly paused: () => Promise<Paused>;
  /** Runs writes in one transaction and wakes the loops that wait for what it committed. */
  transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  /** Called after each committed transaction. The server adds the outbox relay. */
  readonly afterCommit: (() => void)[];
  close(): Promise<void>;
}

export async function createContext(config: Config, log: Logger): Promise<Context> {
  const health = createHealth();
  const peerTls = config.peerTls && createPeerTls(config.peerTls, log);
  const mongo = await connectMongo({ ...config.mongo, service: 'publisher' });
  health.add('mongodb', mongo.problem);
  await migrate(mongo.db, migrations);
  await keepLedger(mongo.db, config.timelineDays);
  const { inFlight, timeScale, deadlineScale } = config;
  const platformLimits = createPlatformLimits({ most: mostOfPlatform(inFlight.total), deadlineScale });
  const library = createRpcClient({
    target: 'library',
    address: config.libraryAddress,
    definition: LibraryServiceService,
    log,
    tls: peerTls,
  });
  const insideHttp = createInsideHttp(peerTls);
  const platforms = createPlatformClient({
    baseUrl: config.platforms.baseUrl,
    timeoutMs: config.platforms.timeoutMs,
    breakerResetMs: 30_000 * timeScale,
    apiVersions: config.apiVersions,
    onCall: platformLimits.onCall,
    onBreakerChange(platform, state) {
      platformLimits.onBreakerChange(platform, state === 'open');
      platformBreakerOpen.set({ platform }, state === 'open' ? 1 : 0);
      log.warn({ platform, state }, 'platform circuit breaker changed state');
    },
    onVersionRejected(platform, version, next) {
      platformVersionRejected.set({ platform, version }, 1);
      log.warn({ platform, version, next }, 'the platform rejects this version of its API; configure a later one');
    },
  });
  // With breakers of its own, and unknown to the limits: what happens to the canary says nothing about a real platform.
  const canaryPlatforms =
    config.canarySandboxUrl === undefined
      ? undefined
      : createPlatformClient({
          baseUrl: config.canarySandboxUrl,
          timeoutMs: config.platforms.timeoutMs,
          breakerResetMs: 30_000 * timeScale,
        });
  const afterCommit: (() => void)[] = [];

  return {
    config,
    log,
    health,
    peerTls,
    mongo,
    db: mongo.db,
    keyring: createKeyring(config.keyring),
    platforms,
    canaryPlatforms,
    platformLimits,
    library: library.client,
    insideHttp,
    closed: createClosedReader(mongo.db),
    paused: createPauseReader(mongo.db),
    afterCommit,
    async transact(work) {
      const result = await transaction(mongo.client, work);
      for (const wake of afterCommit) wake();
      return result;
    },
    async close() {
      library.close();
      await platforms.close();
      await canaryPlatforms?.close();
      await insideHttp.close();
      peerTls?.close();
      await mongo.close();
    },
  };
}
