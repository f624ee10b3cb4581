import { ContentServiceService } from '@fanfare/contracts/content';
import { LibraryServiceService } from '@fanfare/contracts/library';
import { createGuardedClient, type GuardedClient } from '@fanfare/guarded-http';
import { connectMongo, migrate, transaction, type Mongo } from '@fanfare/mongo';
import { createRpcClient, type Client } from '@fanfare/rpc';
import { createHealth, createPeerTls, type Health, type Logger, type PeerTls } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Config } from './config.ts';
import { USER_AGENT } from './input/robots.ts';
import { createLibraryBytes, type LibraryBytes } from './media/library-bytes.ts';
import { migrations } from './migrations.ts';
import { createProviders, type Providers } from './providers/create-providers.ts';
import { createRenderer } from './rendering/create-renderer.ts';
import { createTurns, type Turns } from './rendering/turns.ts';
import type { Renderer } from './rendering/renderer.ts';
import type { Composer } from './writing/composer.ts';
import { embeddedComposer } from './writing/embedded/embedded-composer.ts';
import { createModelComposer } from './writing/openai/model-composer.ts';

/** The dependencies of this service. Constructed only here. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  /** Mutual TLS between Fanfare's processes; undefined on loopback. */
  readonly peerTls: PeerTls | undefined;
  readonly mongo: Mongo;
  readonly db: Db;
  readonly content: Client<typeof ContentServiceService>;
  readonly library: Client<typeof LibraryServiceService>;
  readonly libraryBytes: LibraryBytes;
  /** For URLs that callers provide. */
  readonly web: GuardedClient;
  readonly composer: Composer;
  readonly providers: Providers;
  readonly renderer: Renderer;
  /** Creatives of jobs that are rendered: more at the same time would only wait for the threads, and keep the machine from responding to calls. */
  readonly creativeTurns: Turns;
  /** Runs writes in one transaction, and wakes the loops that wait for them when it commits. */
  transact<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  /** Called after each committed transaction. The server adds the outbox relay. */
  readonly afterCommit: (() => void)[];
  close(): Promise<void>;
}

/** Nobody waits for a job as for a design: jobs leave half of the time to others, so that many of them do not make requests slow. */
const CREATIVES_REST = 1;

export async function createContext(config: Config, log: Logger): Promise<Context> {
  const health = createHealth();
  const peerTls = config.peerTls && createPeerTls(config.peerTls, log);
  const mongo = await connectMongo({ ...config.mongo, service: 'generation' });
  health.add('mongodb', mongo.problem);
  await migrate(mongo.db, migrations);
  const shared = { log, tls: peerTls };
  const content = createRpcClient({ target: 'content', address: config.contentAddress, definition: ContentServiceService, ...shared });
  const library = createRpcClient({ target: 'library', address: config.libraryAddress, definition: LibraryServiceService, ...shared });
  const libraryBytes = createLibraryBytes(config.libraryHttpUrl, peerTls);
  const web = createGuardedClient({ allowedOrigins: config.fetchAllowedOrigins, userAgent: USER_AGENT });
  const renderer = await createRenderer({ ...config.rendering, log });
  const afterCommit: (() => void)[] = [];
  return {
    config,
    log,
    health,
    peerTls,
    mongo,
    db: mongo.db,
    content: content.client,
    library: library.client,
    libraryBytes,
    web,
    composer: config.languageModel ? createModelComposer(config.languageModel, log) : embeddedComposer,
    providers: createProviders(config, log),
    renderer,
    creativeTurns: createTurns({ atOnce: config.rendering.threads, waiting: Infinity, rest: CREATIVES_REST }),
    afterCommit,
    async transact(work) {
      const result = await transaction(mongo.client, work);
      for (const wake of afterCommit) wake();
      return result;
    },
    async close() {
      await renderer.close();
      await web.close();
      libraryBytes.close();
      content.close();
      library.close();
      peerTls?.close();
      await mongo.close();
    },
  };
}
