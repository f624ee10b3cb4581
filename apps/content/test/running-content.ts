import { topics } from '@fanfare/contracts';
import { CreatePostRequest, ListPostsRequest, PublishPostRequest, type Post } from '@fanfare/contracts/content';
import { Integration, type IntegrationStatus } from '@fanfare/contracts/publisher';
import { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { createLogger, newId } from '@fanfare/runtime';
import { callAs, eventually, startEventPeer, testClient, testClockOf, testInfrastructure } from '@fanfare/testing';
import { loadConfig } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import type { PostDocument } from '../src/posts/post.ts';
import { served } from '../src/rpc/rpc.ts';
import { startServer } from '../src/server.ts';
import { startFakeGeneration } from './fake-generation.ts';
import { startFakeLibrary } from './fake-library.ts';

export type TestContent = Awaited<ReturnType<typeof startContent>>;
export type Call = ReturnType<typeof callAs>;

/** The real service, with a fake library on gRPC and a peer on Kafka. `instances` share one database. */
export async function startContent({ instances = 1, settings = {} }: { instances?: number; settings?: Record<string, string> } = {}) {
  const infra = testInfrastructure({ service: 'content', processes: instances });
  const [library, generation, peer] = await Promise.all([
    startFakeLibrary(),
    startFakeGeneration(),
    startEventPeer(infra, 'publisher', [topics.publicationRequested, topics.removalsRequested, topics.postChanged, topics.queueEmptied]),
  ]);
  const env = {
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
    GENERATION_ADDRESS: generation.address,
    ...settings,
  };
  const config = loadConfig(env);
  const log = createLogger('content', 'silent');
  const running: { context: Context; server: Awaited<ReturnType<typeof startServer>> }[] = [];
  for (let index = 0; index < instances; index++) {
    const context = await createContext(config, log);
    running.push({ context, server: await startServer(context) });
  }
  const [first] = running;
  if (!first) throw new Error('At least one instance.');
  await eventually(() => running.every(({ context }) => Object.keys(context.health.problems()).length === 0));
  const clients = running.map(({ server }) => testClient(served, server.grpcPort));
  const [{ client } = testClient(served, 0)] = clients;
  const { db } = first.context;
  const clock = testClockOf(first.server.grpcPort);

  const publicationsOf = (postId: string) =>
    peer
      .received(topics.publicationRequested)
      .map(({ data }) => data)
      .filter((data) => data.postId === postId);

  const announce = (integration: Partial<Integration> & { id: string }, revision: number) =>
    peer.emit(topics.integrationChanged, [
      {
        emission: { subject: integration.id, revision, organizationId: 'o', businessId: 'b', flowId: 'flow' },
        data: { integration: Integration.fromPartial(integration) },
      },
    ]);

  return {
    client,
    clock,
    announce,
    /** The environment, to start one more process. */
    env,
    clients: clients.map((one) => one.client),
    context: first.context,
    db,
    posts: db.collection<PostDocument>('posts'),
    library,
    generation,
    peer,
    /** The publication requests of a post that were received until now. */
    publicationsOf,

    async createPost(call: Call, more: Parameters<typeof CreatePostRequest.fromPartial>[0] = {}): Promise<Post> {
      const { post } = await client.createPost(aCreatePost(more), call);
      return post ?? Promise.reject(new Error('No post.'));
    },
    async getPost(call: Call, postId: string): Promise<Post> {
      return (await client.getPost({ postId }, call)).post ?? Promise.reject(new Error('No post.'));
    },
    async publishPost(call: Call, postId: string, more: Parameters<typeof PublishPostRequest.fromPartial>[0] = {}): Promise<Post> {
      const request = PublishPostRequest.fromPartial({ operationId: newId(), publicationId: newId(), postId, ...more });
      return (await client.publishPost(request, call)).post ?? Promise.reject(new Error('No post.'));
    },

    /** The changes of a post that were received until now, by revision. */
    changesOf: (postId: string) =>
      peer
        .received(topics.postChanged)
        .map(({ data }) => data)
        .filter((data) => data.postId === postId)
        .sort((a, b) => a.revision - b.revision),

    /** Connects accounts of a business by events, and waits until content has them. @returns their ids */
    async connect(call: Call, platforms: readonly string[], status: IntegrationStatus = 'INTEGRATION_STATUS_CONNECTED'): Promise<string[]> {
      const { organizationId, businessId } = call.call.metadata;
      const ids = platforms.map(() => newId());
      for (const [index, id] of ids.entries())
        await announce({ id, organizationId, businessId, platform: platforms[index] ?? '', status }, 1);
      await eventually(async () => (await db.collection('integrations').countDocuments({ _id: { $in: ids as never[] } })) === ids.length);
      return ids;
    },

    /** Emits events of deliveries; those of one delivery are in this order. */
    async emitDeliveries(post: Post, changes: readonly (Partial<DeliveryChanged> & { deliveryId: string; revision: number })[]) {
      await peer.emit(
        topics.deliveryChanged,
        changes.map(({ revision, ...data }) => ({
          emission: { subject: data.deliveryId, revision, organizationId: 'o', businessId: post.businessId, flowId: 'flow' },
          data: DeliveryChanged.fromPartial({ postId: post.id, organizationId: 'o', businessId: post.businessId, ...data }),
        })),
      );
    },

    async stop() {
      for (const one of [...clients, clock]) one.close();
      await Promise.all(running.map(({ server }) => server.stop()));
      await Promise.all([peer.stop(), library.stop(), generation.stop()]);
      infra.leaveDatabase();
    },
  };
}

export const aBusiness = (organizationId = newId()): Call => callAs({ organizationId, businessId: newId() });

export const aCreatePost = (more: Parameters<typeof CreatePostRequest.fromPartial>[0] = {}) =>
  CreatePostRequest.fromPartial({ operationId: newId(), postId: newId(), caption: 'Hello', ...more });

export const aList = (more: Parameters<typeof ListPostsRequest.fromPartial>[0] = {}) =>
  ListPostsRequest.fromPartial({ pageSize: 20, ...more });

/** A scheduled post as it is stored; due at `at`. */
export const aScheduledPost = (call: Call, at: Date, more: Partial<PostDocument> = {}): PostDocument => ({
  _id: newId(),
  organization_id: call.call.metadata.organizationId,
  business_id: call.call.metadata.businessId,
  created_at: new Date(),
  updated_at: new Date(),
  revision: 1,
  caption: 'Due',
  status: 'POST_STATUS_SCHEDULED',
  verdict: 'POST_STATUS_NEW',
  media: [],
  restrict_publish_to: [],
  restrict_publish_to_integration_ids: [],
  scheduled_publish_time: at,
  next_due_at: at,
  metadata: [],
  platform_overrides: [],
  publish_results: [],
  publication_ids: [],
  ...more,
});
