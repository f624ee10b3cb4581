import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestClockServiceService } from '@fanfare/contracts/clock';
import { AnalyticsServiceService, type HourOfWeek } from '@fanfare/contracts/analytics';
import { Business, ContentServiceService, type Post } from '@fanfare/contracts/content';
import { ClosureServiceService, ErasureServiceService } from '@fanfare/contracts/erasure';
import { GenerationServiceService } from '@fanfare/contracts/generation';
import { LibraryServiceService, type Media } from '@fanfare/contracts/library';
import { PublisherServiceService } from '@fanfare/contracts/publisher';
import { TimelineServiceService, type Entry } from '@fanfare/contracts/timeline';
import { WebhooksServiceService } from '@fanfare/contracts/webhooks';
import { DomainError, notFound } from '@fanfare/errors';
import { startRpcServer, type CallMetadata } from '@fanfare/rpc';
import { createHealth, createLogger } from '@fanfare/runtime';
import { unusedMethods } from '@fanfare/testing';
import { fakeAnalytics } from './fake-analytics.ts';
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

export const AT = new Date('2026-08-06T09:30:00.000Z');
export const BYTES = 'the bytes of an image';

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
  const page = <T>(rows: T[], size: number, token: string) => {
    if (token !== '' && !/^at-\d+$/.test(token))
      throw new DomainError('invalid_request', 'Not a cursor of this list.', { param: 'cursor' });
    const from = Number(token.slice(3));
    return { rows: rows.slice(from, from + size), nextPageToken: from + size < rows.length ? `at-${from + size}` : '' };
  };
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
      ...fakePosts(posts, note),
      ...fakeQueues(note),
      ...fakeTimeline(timelines.content, note, posts),
      findShownMedia: async () => ({ mediaIds: [] }),
      async createBusiness(request, call) {
        note('createBusiness', request, call);
        const { businessId: id, name, profile, ...more } = request;
        const business = aBusiness({
          ...more,
          id,
          name,
          organizationId: call.metadata.organizationId,
          timezone: profile?.timezone ?? 'UTC',
          linkTracking: profile?.linkTracking,
          misfirePolicy: profile?.misfirePolicy ?? 'MISFIRE_POLICY_PUBLISH_LATE',
          misfireLimitMinutes: profile?.misfireLimitMinutes ?? 1440,
        });
        businesses.set(id, business);
        return { business };
      },
      async getBusiness(request, call) {
        note('getBusiness', request, call);
        const business = businesses.get(request.businessId);
        if (!business) throw notFound('business');
        return { business };
      },
      async listBusinesses(request, call) {
        note('listBusinesses', request, call);
        const own = [...businesses.values()].filter(
          ({ organizationId, name }) => request.organizationIds.includes(organizationId) && name.includes(request.name),
        );
        const { rows, nextPageToken } = page(own, request.pageSize, request.pageToken);
        return { businesses: rows, nextPageToken };
      },
      async createPost(request, call) {
        note('createPost', request, call);
        await holds.get('createPost');
        const post = aPost({
          id: request.postId,
          businessId: call.metadata.businessId,
          caption: request.caption,
          status: request.status,
          link: request.link,
          metadata: request.metadata,
          restrictPublishTo: request.restrictPublishTo,
          scheduledPublishTime: request.scheduledPublishTime,
          platformOverrides: request.platformOverrides.flatMap(({ override }) => override ?? []),
        });
        posts.set(post.id, post);
        return { post };
      },
      async getPost(request, call) {
        note('getPost', request, call);
        const post = posts.get(request.postId);
        if (post?.businessId !== call.metadata.businessId) throw notFound('post');
        return { post };
      },
      async locatePost(request, call) {
        note('locatePost', request, call);
        const businessId = posts.get(request.postId)?.businessId ?? '';
        if (businesses.get(businessId)?.organizationId !== call.metadata.organizationId) throw notFound('post');
        return { businessId };
      },
      async listPosts(request, call) {
        note('listPosts', request, call);
        const own = [...posts.values()].filter(({ businessId }) => businessId === call.metadata.businessId);
        const { rows, nextPageToken } = page(own, request.pageSize, request.pageToken);
        return { posts: rows, nextPageToken };
      },
      async publishPost(request, call) {
        note('publishPost', request, call);
        const post = posts.get(request.postId);
        if (!post) throw notFound('post');
        return { post };
      },
      async unpublishPost(request, call) {
        note('unpublishPost', request, call);
        const post = posts.get(request.postId);
        if (!post) throw notFound('post');
        return { post };
      },
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
      async importMedia(request, call) {
        note('importMedia', request, call);
        const isLarge = request.url.endsWith('.mov');
        const status = isLarge ? 'MEDIA_STATUS_PROCESSING' : 'MEDIA_STATUS_READY';
        return { media: aMedia({ id: request.mediaId, businessId: call.metadata.businessId, source: request.url, status }) };
      },
      ...fakeMedia(media, note),
      ...fakeDocuments(documents, note),
      async batchGetMedia(request) {
        return { media: request.mediaIds.flatMap((id) => media.get(id) ?? []) };
      },
      async resolveMediaUrls({ urls }) {
        return { mediaByUrl: Object.fromEntries([...media.values()].filter(({ url }) => urls.includes(url)).map((one) => [one.url, one])) };
      },
      signMediaUrls: async () => ({ media: [] }),
      async signArchiveUrl(request, call) {
        note('signArchiveUrl', request, call);
        const archive = archives.get(request.archiveId);
        if (!archive) throw notFound('archive');
        const publicUrl = `http://127.0.0.1/media/${request.archiveId}/signed?expires=1`;
        return { publicUrl, urlExpiresAt: AT, sizeBytes: archive.length, sha256: 'the hash of the archive', expiresAt: inADay() };
      },
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

export const inADay = () => new Date(Date.now() + 24 * 60 * 60_000);

export function aBusiness(more: Partial<Business>): Business {
  return Business.fromPartial({ createdAt: AT, updatedAt: AT, revision: 1, name: 'Bakery', language: 'en', timezone: 'UTC', ...more });
}

export function aPost(more: Partial<Post>): Post {
  return {
    id: '',
    businessId: '',
    createdAt: AT,
    updatedAt: AT,
    revision: 1,
    caption: '',
    status: 'POST_STATUS_NEW',
    media: [],
    restrictPublishTo: [],
    restrictPublishToIntegrationIds: [],
    scheduledPublishTime: undefined,
    publishedAt: undefined,
    metadata: [],
    platformOverrides: [],
    atRisk: [],
    mediaRevision: 0,
    publishResults: [],
    publishStatus: 'PUBLISH_STATUS_UNSPECIFIED',
    misfirePolicy: 'MISFIRE_POLICY_UNSPECIFIED',
    strategy: 'PUBLISH_STRATEGY_INDEPENDENT',
    lastFailure: undefined,
    queue: undefined,
    ...more,
  };
}

export function aMedia(more: Partial<Media>): Media {
  return {
    id: '',
    businessId: '',
    createdAt: AT,
    updatedAt: AT,
    revision: 1,
    status: 'MEDIA_STATUS_READY',
    type: 'MEDIA_TYPE_IMAGE',
    mimeType: 'image/png',
    sizeBytes: BYTES.length,
    width: 2,
    height: 3,
    sha256: '',
    url: 'http://127.0.0.1/media/known/s',
    source: 'upload',
    originalUrl: '',
    fileName: '',
    altText: '',
    description: '',
    transcript: '',
    thumbnailUrl: '',
    coverUrl: '',
    placeholder: '',
    facts: undefined,
    ...more,
  };
}
