import { randomBytes } from 'node:crypto';
import { topics } from '@fanfare/contracts';
import type { PublishStrategy } from '@fanfare/contracts/content';
import { PublicationRequested } from '@fanfare/contracts/content/events';
import type { Integration } from '@fanfare/contracts/publisher';
import type { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { freePorts, startRealSandbox } from '@fanfare/infra';
import { createLogger, newId } from '@fanfare/runtime';
import { callAs, eventually, startEventPeer, testClient, testClockOf, testInfrastructure } from '@fanfare/testing';
import type { Db } from 'mongodb';
import { loadConfig } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import { served } from '../src/rpc/rpc.ts';
import { startServer } from '../src/server.ts';
import { startFakeLibrary } from './fake-library.ts';

const REDIRECT_URI = 'https://app.example/callback';

export interface Wanted {
  readonly integration: Pick<Integration, 'id' | 'platform'>;
  readonly caption: string;
  readonly mediaIds?: readonly string[];
  readonly firstComment?: string;
  /** What the business adds to links. */
  readonly linkTracking?: { readonly source?: string; readonly medium?: string; readonly content?: string };
  readonly link?: string;
  /** Options of this platform only. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly organizationId?: string;
  readonly businessId?: string;
  readonly dueAt?: Date;
  /** When the delivery must have begun. */
  readonly publishBefore?: Date;
  /** To send a post again. */
  readonly postId?: string;
}

export type TestPublisher = Awaited<ReturnType<typeof startPublisher>>;

/** The real service with a real sandbox, a library, and a peer that emits and consumes events. `instances` share one database. */
export async function startPublisher({ instances = 1, env = {} }: { instances?: number; env?: Record<string, string> } = {}) {
  const infra = testInfrastructure({ service: 'publisher', processes: instances });
  const [libraryPort = 0] = await freePorts(1);
  const [library, sandbox, peer] = await Promise.all([
    startFakeLibrary(libraryPort),
    startRealSandbox(),
    startEventPeer(infra, 'content', [topics.deliveryChanged, topics.integrationChanged, topics.removalChanged]),
  ]);
  const settings = {
    NODE_ENV: 'test',
    MONGODB_URL: infra.mongoUrl,
    MONGODB_DATABASE: infra.database,
    KAFKA_BROKERS: infra.kafkaBrokers.join(','),
    KAFKA_TOPIC_PREFIX: infra.topicPrefix,
    KAFKA_PARTITIONS: String(infra.partitions),
    KAFKA_SESSION_TIMEOUT_MS: '6000',
    GRPC_ADDRESS: '127.0.0.1:0',
    ADMIN_ADDRESS: '127.0.0.1:0',
    LIBRARY_ADDRESS: library.address,
    KEYRING: `test:${randomBytes(32).toString('base64')}`,
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_APPS: 'sandbox',
    // As much as the sandbox allows.
    PLATFORM_BUDGETS: JSON.stringify({ facebook: { reels: 30_000 }, tiktok: { posts: 15_000 }, youtube: { videos_insert: 100_000 } }),
    // Longer than this machine is ever blocked: most calls must not time out, and those that are held must not take long.
    PLATFORM_TIMEOUT_MS: '6000',
    TIME_SCALE: '0.05',
    // Leases of 5 s: longer than this machine is ever blocked, because an attempt whose lease is lost is not counted.
    DEADLINE_SCALE: '0.5',
    ...env,
  };
  const log = createLogger('publisher', 'silent');
  const running: { context: Context; server: Awaited<ReturnType<typeof startServer>> }[] = [];
  const startOne = async (more: Record<string, string> = {}) => {
    const context = await createContext(loadConfig({ ...settings, ...more }), log);
    running.push({ context, server: await startServer(context) });
  };
  for (let index = 0; index < instances; index++) await startOne();
  const untilReady = () => eventually(() => running.every(({ context }) => Object.keys(context.health.problems()).length === 0));
  await untilReady();
  const latest = () => {
    const last = running.at(-1);
    if (!last) throw new Error('At least one instance.');
    return last;
  };
  const first = latest();
  const { client, close } = testClient(served, first.server.grpcPort);
  const clock = testClockOf(first.server.grpcPort);
  const closing = [close, clock.close];
  const scope = { organizationId: newId(), businessId: newId() };
  const db: Db = first.context.db;

  const consent = async (authorizeUrl: string, accountId?: string) => {
    const headers = { 'X-Sandbox-Consent': 'allow', ...(accountId !== undefined && { 'X-Sandbox-Account': accountId }) };
    const response = await fetch(authorizeUrl, { headers, redirect: 'manual' });
    const sentBack = new URL(response.headers.get('location') ?? '').searchParams;
    return { code: sentBack.get('code') ?? '', state: sentBack.get('state') ?? '' };
  };
  /** Connects an account as a person would: the platform's first one, unless another one is named. */
  const connect = async (platform: string, options = callAs(scope), accountId?: string): Promise<Integration> => {
    const { authorizeUrl } = await client.beginConnection({ platform, redirectUri: REDIRECT_URI }, options);
    const { integrations } = await client.completeConnection(await consent(authorizeUrl, accountId), options);
    const integration = integrations.find((one) => one.platform === platform && one.accountId === (accountId ?? one.accountId));
    if (!integration) throw new Error(`Nothing was connected on ${platform}.`);
    return integration;
  };
  let lastRequests: PublicationRequested[] = [];
  const allRequests: PublicationRequested[] = [];
  const request = (requests: PublicationRequested[]) =>
    peer.emit(
      topics.publicationRequested,
      requests.map((data) => ({
        emission: {
          subject: data.publicationId,
          revision: 1,
          organizationId: data.organizationId,
          businessId: data.businessId,
          flowId: 'flow',
        },
        data,
      })),
    );
  const eventsOf = (deliveryId: string) =>
    peer
      .received(topics.deliveryChanged)
      .map(({ data }) => data)
      .filter((data) => data.deliveryId === deliveryId);

  return {
    client,
    clock,
    context: first.context,
    db,
    library,
    sandbox,
    peer,
    scope,
    call: callAs(scope),
    consent,
    redirectUri: REDIRECT_URI,

    connect,
    /** Connects the named account. */
    connectAs: (platform: string, accountId: string) => connect(platform, callAs(scope), accountId),

    /** Requests publications as content does, all at once. @returns the ids of the deliveries */
    async publish(...wanted: Wanted[]): Promise<string[]> {
      lastRequests = wanted.map((one) => aPublication(scope, one));
      allRequests.push(...lastRequests);
      await request(lastRequests);
      return lastRequests.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId));
    },

    /** Requests one publication to several accounts. @returns the ids of the deliveries */
    async publishTogether(
      caption: string,
      integrations: readonly Wanted['integration'][],
      { strategy, ...more }: { strategy?: PublishStrategy } & Pick<Wanted, 'mediaIds' | 'dueAt'> = {},
    ): Promise<string[]> {
      const each = integrations.map((integration) => aPublication(scope, { integration, caption, ...more }));
      const [first] = each;
      if (!first) throw new Error('At least one account.');
      lastRequests = [{ ...first, ...(strategy && { strategy }), deliveries: each.flatMap(({ deliveries }) => deliveries) }];
      await request(lastRequests);
      return each.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId));
    },

    /** The same requests, as new events. */
    repeatLast: () => request(lastRequests),

    /** All requests of `publish`, as new events. */
    repeatAll: () => request(allRequests),

    /** Every event about a delivery. */
    eventsOf,

    /** The last event of a delivery, after it has ended. */
    outcome: (deliveryId: string, timeoutMs = 25_000): Promise<DeliveryChanged> =>
      eventually(
        () => eventsOf(deliveryId).find(({ status }) => status === 'DELIVERY_STATUS_SUCCESS' || status === 'DELIVERY_STATUS_FAILED'),
        timeoutMs,
      ),

    /** Stops every process, and starts one with other settings, after what happens in between. @returns its clients */
    async restart(more: Record<string, string>, between: () => Promise<void> = async () => undefined) {
      await Promise.all(running.splice(0).map(({ server }) => server.stop()));
      await between();
      await startOne(more);
      await untilReady();
      const { context, server } = latest();
      const successor = testClient(served, server.grpcPort);
      closing.push(successor.close);
      return { client: successor.client, context, db: context.db };
    },

    async stop() {
      for (const each of closing) each();
      await Promise.all(running.map(({ server }) => server.stop()));
      await Promise.all([peer.stop(), library.stop(), sandbox.stop()]);
      infra.leaveDatabase();
    },
  };
}

function aPublication(scope: { organizationId: string; businessId: string }, wanted: Wanted): PublicationRequested {
  return PublicationRequested.fromPartial({
    publicationId: newId(),
    postId: wanted.postId ?? newId(),
    organizationId: wanted.organizationId ?? scope.organizationId,
    businessId: wanted.businessId ?? scope.businessId,
    deliveries: [{ deliveryId: newId(), integrationId: wanted.integration.id, platform: wanted.integration.platform }],
    dueAt: wanted.dueAt ?? new Date(),
    publishBefore: wanted.publishBefore,
    snapshot: {
      caption: wanted.caption,
      link: wanted.link,
      linkTracking: wanted.linkTracking,
      media: (wanted.mediaIds ?? []).map((id) => ({ id, url: '', type: 'image', description: '', transcript: '', duration: 0 })),
      platformOverrides: [{ platform: wanted.integration.platform, firstComment: wanted.firstComment, options: wanted.options }],
    },
  });
}
