import { topics } from '@fanfare/contracts';
import { Post } from '@fanfare/contracts/content';
import { PostChanged, type PostChange } from '@fanfare/contracts/content/events';
import { Integration } from '@fanfare/contracts/publisher';
import { CreateEndpointRequest, ListDeliveriesRequest, type ListEventsRequest } from '@fanfare/contracts/webhooks';
import { CURRENT_VERSION } from '@fanfare/resources';
import { createLogger, newId } from '@fanfare/runtime';
import { callAs, eventually, startEventPeer, testClient, testClockOf, testInfrastructure } from '@fanfare/testing';
import { loadConfig, type Config } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import { served } from '../src/rpc/rpc.ts';
import { startServer } from '../src/server.ts';

export type TestWebhooks = Awaited<ReturnType<typeof startWebhooks>>;

export interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

/** The real service, and a Kafka peer that emits the events of the other services. */
export async function startWebhooks({
  instances = 1,
  origins = [],
  sending = {},
  mongoUrl,
}: { instances?: number; origins?: readonly string[]; sending?: Partial<Config['sending']>; mongoUrl?: string } = {}) {
  const infra = testInfrastructure({ service: 'webhooks', processes: instances });
  const peer = await startEventPeer(infra, 'content', []);
  const settings = {
    NODE_ENV: 'test',
    MONGODB_URL: mongoUrl ?? infra.mongoUrl,
    MONGODB_DATABASE: infra.database,
    KAFKA_BROKERS: infra.kafkaBrokers.join(','),
    KAFKA_TOPIC_PREFIX: infra.topicPrefix,
    KAFKA_PARTITIONS: String(infra.partitions),
    KAFKA_SESSION_TIMEOUT_MS: '6000',
    GRPC_ADDRESS: '127.0.0.1:0',
    ADMIN_ADDRESS: '127.0.0.1:0',
    BASE_URL: 'http://api.test',
    KEYRING: `k1:${Buffer.alloc(32, 'k1').toString('base64')}`,
    FETCH_ALLOWED_ORIGINS: origins.join(','),
  };
  const log = createLogger('webhooks', 'silent');
  const running: { context: Context; server: Awaited<ReturnType<typeof startServer>>; client: ReturnType<typeof clientOf> }[] = [];
  for (let index = 0; index < instances; index++) {
    const config = loadConfig(settings);
    const context = await createContext({ ...config, sending: { ...config.sending, ...sending } }, log);
    const server = await startServer(context);
    running.push({ context, server, client: clientOf(server.grpcPort) });
  }
  const [first] = running;
  if (!first) throw new Error('At least one instance.');
  await eventually(() => running.every(({ context }) => Object.keys(context.health.problems()).length === 0));

  const clock = testClockOf(first.server.grpcPort);

  return {
    running,
    clock,
    db: first.context.db,
    peer,
    urls: first.context.urls,
    aScope: (organizationId = newId()): Scope => ({ organizationId, businessId: newId() }),
    list: (scope: Scope, request: Partial<ListEventsRequest> = {}, instance = first) =>
      instance.client.client.listEvents(
        { after: undefined, isFromNow: false, types: [], businessId: undefined, limit: 100, waitMs: 0, ...request },
        callAs(scope),
      ),
    /** The client of an instance. */
    api: first.client.client,
    /** Creates an endpoint for all events. */
    async endpoint(scope: Scope, url: string, more: Partial<CreateEndpointRequest> = {}) {
      const request = CreateEndpointRequest.fromPartial({
        ...{ operationId: newId(), endpointId: newId(), url, events: ['*'], version: CURRENT_VERSION, enabled: true },
        ...more,
      });
      const { endpoint, secret } = await first.client.client.createEndpoint(request, callAs(scope));
      if (!endpoint) throw new Error('No endpoint.');
      return { ...endpoint, secret };
    },
    deliveries: async (scope: Scope, endpointId: string, more: Partial<ListDeliveriesRequest> = {}) =>
      (await first.client.client.listDeliveries(ListDeliveriesRequest.fromPartial({ endpointId, pageSize: 100, ...more }), callAs(scope)))
        .deliveries,
    get: (scope: Scope, eventId: string) => first.client.client.getEvent({ eventId }, callAs(scope)),
    /** Emits the event of a changed post, as content does. */
    async changed(scope: Scope, post: Partial<Post> & { id: string; revision: number }, changes: PostChange[], results = [0, 0]) {
      const [succeeded = 0, failed = 0] = results;
      const data = PostChanged.fromPartial({
        ...scope,
        postId: post.id,
        revision: post.revision,
        changes,
        succeeded,
        failed,
        post: aPost(scope, post),
      });
      const cause = { flowId: 'flow', actor: 'key:k1', requestId: 'req_1' };
      await peer.emit(topics.postChanged, [{ emission: { ...cause, ...scope, subject: post.id, revision: post.revision }, data }]);
    },
    async account(scope: Scope, integration: Partial<Integration> & { id: string; revision: number }) {
      const data = { integration: anIntegration(scope, integration) };
      const emission = { ...scope, flowId: 'flow', subject: integration.id, revision: integration.revision };
      await peer.emit(topics.integrationChanged, [{ emission, data }]);
    },
    async stop() {
      clock.close();
      for (const { client } of running) client.close();
      await Promise.all(running.map(({ server }) => server.stop()));
      await peer.stop();
      infra.leaveDatabase();
    },
  };
}

const clientOf = (port: number) => testClient(served, port);

export const aPost = (scope: Scope, more: Partial<Post>): Post => ({
  ...Post.fromPartial({ businessId: scope.businessId, status: 'POST_STATUS_NEW', caption: 'Bread', createdAt: new Date(0) }),
  updatedAt: new Date(1_000 * (more.revision ?? 1)),
  ...more,
});

const anIntegration = (scope: Scope, more: Partial<Integration>): Integration => ({
  ...Integration.fromPartial({
    ...scope,
    platform: 'facebook',
    accountId: '1',
    status: 'INTEGRATION_STATUS_CONNECTED',
    createdAt: new Date(0),
  }),
  updatedAt: new Date(0),
  ...more,
});
