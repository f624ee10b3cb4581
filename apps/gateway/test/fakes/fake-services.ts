import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestClockServiceService } from '@fanfare/contracts/clock';
import { AnalyticsServiceService, type HourOfWeek } from '@fanfare/contracts/analytics';
import { type Business, ContentServiceService, type Post } from '@fanfare/contracts/content';
import { ClosureServiceService, ErasureServiceService } from '@fanfare/contracts/erasure';
import { GenerationServiceService } from '@fanfare/contracts/generation';
import { LibraryServiceService, type Media } from '@fanfare/contracts/library';
import { PublisherServiceService } from '@fanfare/contracts/publisher';
import { TimelineServiceService, type Entry } from '@fanfare/contracts/timeline';
import { WebhooksServiceService } from '@fanfare/contracts/webhooks';
import { startRpcServer, type CallMetadata } from '@fanfare/rpc';
import { createHealth, createLogger } from '@fanfare/runtime';
import { unusedMethods } from '@fanfare/testing';
import { fakeAnalytics } from './fake-analytics.ts';
import { fakeArchives } from './fake-archives.ts';
import { fakeBusinesses } from './fake-businesses.ts';
import { fakeBytes } from './fake-bytes.ts';
import { fakeClock, fakeClockOf, type FakeClock } from './fake-clock.ts';
import { fakeDocuments, type FakeDocuments } from './fake-documents.ts';
import { fakeClosure, fakeErasure, type FakeErasures } from './fake-erasure.ts';
import { fakeWebhooks } from './fake-webhooks.ts';
import { fakeGeneration } from './fake-generation.ts';
import { fakePublisher, type FakeAccounts } from './fake-integrations.ts';
import { fakeMedia } from './fake-media.ts';
import { fakePosts } from './fake-posts.ts';
import { fakeQueues } from './fake-queues.ts';
import { fakeTimeline } from './fake-timeline.ts';
import { fakeTopics } from './fake-topics.ts';
import type { FakeUpload } from './fake-tus.ts';

/** The services that the gateway calls, with the generated contracts. They record their requests. */
export interface FakeServices {
  readonly contentAddress: string;
  readonly libraryAddress: string;
  readonly publisherAddress: string;
  readonly analyticsAddress: string;
  readonly generationAddress: string;
  readonly webhooksAddress: string;
  readonly feed: ReturnType<typeof fakeWebhooks>;
  readonly clock: FakeClock;
  readonly libraryHttpUrl: string;
  readonly businesses: Map<string, Business>;
  readonly posts: Map<string, Post>;
  /** The entries that each service has recorded, by post. */
  readonly timelines: Record<'content' | 'publisher', { readonly postId: string; readonly entry: Entry }[]>;
  readonly media: Map<string, Media>;
  readonly documents: FakeDocuments;
  readonly accounts: FakeAccounts;
  readonly uploads: Map<string, { body: string; ended: boolean; complete: boolean; url: string; headers: IncomingMessage['headers'] }>;
  readonly resumable: Map<string, FakeUpload>;
  /** The archives of exports, and the paths of the requests that stored them. */
  readonly archives: Map<string, Buffer>;
  readonly archiveRequests: Map<string, string>;
  /** Media whose requests never get a response. */
  readonly silent: string[];
  readonly calls: { method: string; request: unknown; metadata: CallMetadata }[];
  /** The error of the next call of a method. */
  readonly failures: Map<string, Error>;
  readonly erasures: FakeErasures;
  /** Calls of a method get their responses when this promise is settled. */
  readonly holds: Map<string, Promise<void>>;
  oldestDueAt: Date | undefined;
  /** The best times to post. */
  readonly bestHours: HourOfWeek[];
  /** Parts of background work of all services that have problems. */
  readonly late: Set<string>;
  stop(): Promise<void>;
}

export async function startFakeServices(): Promise<FakeServices> {
  const businesses: FakeServices['businesses'] = new Map();
  const posts: FakeServices['posts'] = new Map();
  const media: FakeServices['media'] = new Map();
  const documents: FakeDocuments = { files: new Map(), folders: new Map() };
  const accounts: FakeAccounts = { integrations: new Map(), connections: new Map(), platformsInTrouble: new Set(), oldestDueAt: undefined };
  const timelines: FakeServices['timelines'] = { content: [], publisher: [] };
  const uploads: FakeServices['uploads'] = new Map();
  const resumable: FakeServices['resumable'] = new Map();
  const archives: FakeServices['archives'] = new Map();
  const archiveRequests: FakeServices['archiveRequests'] = new Map();
  const calls: FakeServices['calls'] = [];
  const failures: FakeServices['failures'] = new Map();
  const holds: FakeServices['holds'] = new Map();
  const erasures: FakeErasures = new Map();
  const bestHours: FakeServices['bestHours'] = [];
  const note = (method: string, request: unknown, { metadata }: { metadata: CallMetadata }) => {
    calls.push({ method, request, metadata });
    const failure = failures.get(method);
    failures.delete(method);
    if (failure) throw failure;
  };
  const erasing = { erasures, holds, note };
  const late = new Set<string>();
  const clock = fakeClock();
  const health = { ...createHealth(), workProblems: () => Object.fromEntries([...late].map((part) => [part, 'It is late.'])) };
  const shared = { health, log: createLogger('fake', 'silent'), address: '127.0.0.1:0' };

  const content = await startRpcServer({
    ...shared,
    definition: {
      ...ContentServiceService,
      ...TimelineServiceService,
      ...ClosureServiceService,
      ...ErasureServiceService,
      ...TestClockServiceService,
    },
    handlers: {
      ...fakeClosure('content', note),
      ...fakeErasure('content', erasing),
      ...fakeClockOf(clock, 'content', note),
      ...fakeTopics(businesses, note),
      ...fakeBusinesses(businesses, note),
      ...fakePosts({ posts, businesses, holds, note }),
      ...fakeQueues(note),
      ...fakeTimeline(timelines.content, note, posts),
      async listTimelines(request, call) {
        note('listTimelines', request, call);
        const ids = new Set(timelines.content.map(({ postId }) => postId));
        return { postIds: [...ids].filter((id) => posts.get(id)?.businessId === call.metadata.businessId), nextAfterId: '' };
      },
      findShownMedia: async () => ({ mediaIds: [] }),
      async listTargets() {
        return { targets: [] };
      },
      async getDueBacklog() {
        return { oldestDueAt: services.oldestDueAt };
      },
      async requestPublicationsAgain() {
        return { requested: 0, nextAfterId: '' };
      },
    },
  });

  const library = await startRpcServer({
    ...shared,
    definition: { ...LibraryServiceService, ...ErasureServiceService, ...TestClockServiceService },
    handlers: {
      ...fakeErasure('library', erasing),
      ...fakeClockOf(clock, 'library', note),
      ...unusedMethods(LibraryServiceService),
      ...fakeMedia(media, note),
      ...fakeArchives(archives, note),
      ...fakeDocuments(documents, note),
    },
  });

  const publisher = await startRpcServer({
    ...shared,
    definition: {
      ...PublisherServiceService,
      ...TimelineServiceService,
      ...ClosureServiceService,
      ...ErasureServiceService,
      ...TestClockServiceService,
    },
    handlers: {
      ...fakePublisher(accounts, note),
      ...fakeTimeline(timelines.publisher, note),
      ...fakeClosure('publisher', note),
      ...fakeErasure('publisher', erasing),
      ...fakeClockOf(clock, 'publisher', note),
    },
  });
  const analytics = await startRpcServer({
    ...shared,
    definition: { ...AnalyticsServiceService, ...ErasureServiceService, ...TestClockServiceService },
    handlers: {
      ...unusedMethods(AnalyticsServiceService),
      ...fakeAnalytics(note, bestHours),
      ...fakeErasure('analytics', erasing),
      ...fakeClockOf(clock, 'analytics', note),
    },
  });

  const generation = await startRpcServer({
    ...shared,
    definition: { ...GenerationServiceService, ...ErasureServiceService, ...TestClockServiceService },
    handlers: { ...fakeGeneration(note), ...fakeErasure('generation', erasing), ...fakeClockOf(clock, 'generation', note) },
  });

  const feed = fakeWebhooks(note);
  const webhooks = await startRpcServer({
    ...shared,
    definition: { ...WebhooksServiceService, ...ErasureServiceService, ...TestClockServiceService },
    handlers: { ...feed.handlers, ...fakeErasure('webhooks', erasing), ...fakeClockOf(clock, 'webhooks', note) },
  });

  const silent: string[] = [];
  const bytes = fakeBytes({ media, uploads, resumable, silent, archives, archiveRequests, holds });
  await new Promise<void>((resolve) => bytes.listen(0, '127.0.0.1', resolve));

  const services: FakeServices = {
    contentAddress: `127.0.0.1:${content.port}`,
    libraryAddress: `127.0.0.1:${library.port}`,
    publisherAddress: `127.0.0.1:${publisher.port}`,
    analyticsAddress: `127.0.0.1:${analytics.port}`,
    generationAddress: `127.0.0.1:${generation.port}`,
    feed,
    clock,
    webhooksAddress: `127.0.0.1:${webhooks.port}`,
    libraryHttpUrl: `http://127.0.0.1:${(bytes.address() as AddressInfo).port}`,
    businesses,
    posts,
    timelines,
    media,
    documents,
    accounts,
    uploads,
    resumable,
    archives,
    archiveRequests,
    silent,
    calls,
    failures,
    erasures,
    holds,
    oldestDueAt: undefined,
    bestHours,
    late,
    async stop() {
      bytes.close();
      bytes.closeAllConnections();
      await Promise.all([content.stop(), library.stop(), publisher.stop(), analytics.stop(), generation.stop(), webhooks.stop()]);
    },
  };
  return services;
}
