import { TestClockServiceService } from '@fanfare/contracts/clock';
import { ContentServiceService } from '@fanfare/contracts/content';
import { ClosureServiceService, ErasureServiceService } from '@fanfare/contracts/erasure';
import { GenerationServiceService } from '@fanfare/contracts/generation';
import { LibraryServiceService } from '@fanfare/contracts/library';
import { AnalyticsServiceService } from '@fanfare/contracts/analytics';
import { PublisherServiceService } from '@fanfare/contracts/publisher';
import { TimelineServiceService } from '@fanfare/contracts/timeline';
import { WebhooksServiceService } from '@fanfare/contracts/webhooks';
import { createGuardedClient } from '@fanfare/guarded-http';
import { connectMongo, migrate, type Mongo } from '@fanfare/mongo';
import { createUrls, type Urls } from '@fanfare/resources';
import { createRpcClient, type Client } from '@fanfare/rpc';
import { createHealth, createKeyring, type Health, type Keyring, type Logger, createPeerTls, type PeerTls } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import {
  createCallerCache,
  createDeletionReader,
  createIdentity,
  createKeyUsage,
  type CallerCache,
  type DeletionReader,
  type Identity,
  type KeyUsage,
} from './accounts/index.ts';
import { createLibraryHttp, type LibraryHttp } from './bytes/library-http.ts';
import type { Config } from './config.ts';
import { grpcHealth, type GrpcHealth } from './grpc-health.ts';
import { createBusinessOwnerCache, type BusinessOwnerCache } from './http/callers/business-owner-cache.ts';
import { type ArchiveSignatures, createArchiveSignatures } from './exports/archive-signatures.ts';
import { createIdempotency, type Idempotency } from './http/idempotency/idempotency.ts';
import { createEventStreams, type EventStreams } from './http/response/event-streams.ts';
import { createRateLimiter, type RateLimiter } from './http/limits/rate-limiter.ts';
import { migrations } from './migrations.ts';

type Closing = typeof ClosureServiceService;
type Clocked = typeof TestClockServiceService;
type Erasing = typeof ErasureServiceService;

/** Everything that the parts of this process are handed. Constructed here and nowhere else. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  /** How our processes know each other; undefined on loopback alone. */
  readonly peerTls: PeerTls | undefined;
  readonly mongo: Mongo;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly limiter: RateLimiter;
  readonly eventStreams: EventStreams;
  readonly idempotency: Idempotency;
  readonly identity: Identity;
  readonly content: Client<typeof ContentServiceService & typeof TimelineServiceService & Closing & Erasing & Clocked & GrpcHealth>;
  readonly library: Client<typeof LibraryServiceService & Erasing & Clocked & GrpcHealth>;
  readonly publisher: Client<typeof PublisherServiceService & typeof TimelineServiceService & Closing & Erasing & Clocked & GrpcHealth>;
  readonly analytics: Client<typeof AnalyticsServiceService & Erasing & Clocked & GrpcHealth>;
  readonly generation: Client<typeof GenerationServiceService & Erasing & Clocked & GrpcHealth>;
  readonly webhooks: Client<typeof WebhooksServiceService & Erasing & Clocked & GrpcHealth>;
  readonly libraryHttp: LibraryHttp;
  readonly urls: Urls;
  readonly callers: CallerCache;
  readonly keyUsage: KeyUsage;
  readonly businesses: BusinessOwnerCache;
  /** Called after an advance of a test clock was requested. The server registers the worker here, which also polls every second. */
  readonly onClockRequested: (() => void)[];
  /** The same for exports, which other processes find within seconds. */
  readonly onExportRequested: (() => void)[];
  readonly deletions: DeletionReader;
  readonly archiveSignatures: ArchiveSignatures;
  close(): Promise<void>;
}

export async function createContext(config: Config, log: Logger): Promise<Context> {
  // Readiness depends only on our own database: while a service is unavailable, its operations respond with 500 and all others work.
  const health = createHealth();
  const peerTls = config.peerTls && createPeerTls(config.peerTls, log);
  const mongo = await connectMongo({ ...config.mongo, service: 'gateway' });
  health.add('mongodb', mongo.problem);
  await migrate(mongo.db, migrations);

  const content = createRpcClient({
    target: 'content',
    address: config.contentAddress,
    definition: {
      ...ContentServiceService,
      ...TimelineServiceService,
      ...ClosureServiceService,
      ...ErasureServiceService,
      ...TestClockServiceService,
      ...grpcHealth,
    },
    log,
    tls: peerTls,
  });
  const library = createRpcClient({
    target: 'library',
    address: config.libraryAddress,
    definition: { ...LibraryServiceService, ...ErasureServiceService, ...TestClockServiceService, ...grpcHealth },
    log,
    tls: peerTls,
  });
  const publisher = createRpcClient({
    target: 'publisher',
    address: config.publisherAddress,
    definition: {
      ...PublisherServiceService,
      ...TimelineServiceService,
      ...ClosureServiceService,
      ...ErasureServiceService,
      ...TestClockServiceService,
      ...grpcHealth,
    },
    log,
    tls: peerTls,
  });
  const analytics = createRpcClient({
    target: 'analytics',
    address: config.analyticsAddress,
    definition: { ...AnalyticsServiceService, ...ErasureServiceService, ...TestClockServiceService, ...grpcHealth },
    log,
    tls: peerTls,
  });
  const generation = createRpcClient({
    target: 'generation',
    address: config.generationAddress,
    definition: { ...GenerationServiceService, ...ErasureServiceService, ...TestClockServiceService, ...grpcHealth },
    log,
    tls: peerTls,
  });
  const webhooks = createRpcClient({
    target: 'webhooks',
    address: config.webhooksAddress,
    definition: { ...WebhooksServiceService, ...ErasureServiceService, ...TestClockServiceService, ...grpcHealth },
    log,
    tls: peerTls,
  });
  const libraryHttp = createLibraryHttp(config.libraryHttpUrl, peerTls);
  const keyring = createKeyring(config.keyring);
  const limiter = createRateLimiter(mongo.db);
  const keyUsage = createKeyUsage({ db: mongo.db, log });
  const idempotency = createIdempotency({ db: mongo.db, keyring, log, leaseMs: config.idempotencyLeaseMs });

  const web = createGuardedClient({ allowedOrigins: config.oidc?.allowedOrigins ?? [] });
  const deletions = createDeletionReader(mongo.db);
  const identity = createIdentity({ config, log, mongo, keyring, web });

  return {
    config,
    log,
    health,
    peerTls,
    mongo,
    db: mongo.db,
    keyring,
    limiter,
    eventStreams: createEventStreams(),
    idempotency,
    identity,
    content: content.client,
    library: library.client,
    publisher: publisher.client,
    analytics: analytics.client,
    generation: generation.client,
    webhooks: webhooks.client,
    libraryHttp,
    urls: createUrls(config),
    callers: createCallerCache(mongo.db, identity),
    keyUsage,
    onClockRequested: [],
    onExportRequested: [],
    businesses: createBusinessOwnerCache(content.client, deletions),
    deletions,
    archiveSignatures: createArchiveSignatures(keyring),
    async close() {
      // Callers may have disconnected while their requests are still being processed.
      await idempotency.drain();
      await identity.drain();
      await limiter.close();
      await keyUsage.stop();
      for (const client of [content, library, publisher, analytics, generation, webhooks]) client.close();
      libraryHttp.close();
      await web.close();
      peerTls?.close();
      await mongo.close();
    },
  };
}
