import { topics } from '@fanfare/contracts';
import { PublicationRequested } from '@fanfare/contracts/content/events';
import { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import { createPlatformClient, type Platform } from '@fanfare/connectors';
import type { Integration } from '@fanfare/contracts/publisher';
import { startRealSandbox } from '@fanfare/infra';
import { createLogger, newId } from '@fanfare/runtime';
import { callAs, eventually, startEventPeer, testClient, testClockOf, testInfrastructure } from '@fanfare/testing';
import { loadConfig } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import { served } from '../src/rpc/rpc.ts';
import { startServer } from '../src/server.ts';
import { connectAtSandbox } from '../../../libs/connectors/test/connect-at-sandbox.ts';
import { startFakePublisher } from './fake-publisher.ts';

export type TestAnalytics = Awaited<ReturnType<typeof startAnalytics>>;

/** The real service with a real sandbox, a fake publisher that lends tokens, and a Kafka peer that sends and receives events. */
export async function startAnalytics({ instances = 1, env = {} }: { instances?: number; env?: Record<string, string> } = {}) {
  const infra = testInfrastructure({ service: 'analytics', processes: instances });
  const [sandbox, publisher, peer] = await Promise.all([
    startRealSandbox(),
    startFakePublisher(),
    startEventPeer(infra, 'publisher', [topics.postSnapshotTaken, topics.accountSnapshotTaken]),
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
    PUBLISHER_ADDRESS: publisher.address,
    PLATFORM_BASE_URL: sandbox.url,
    READS_OFF: 'none',
    ...env,
  };
  const log = createLogger('analytics', 'silent');
  const running: { context: Context; server: Awaited<ReturnType<typeof startServer>> }[] = [];
  async function startProcess(own: Record<string, string> = {}): Promise<void> {
    const context = await createContext(loadConfig({ ...settings, ...own }), log);
    running.push({ context, server: await startServer(context) });
  }
  for (let index = 0; index < instances; index++) await startProcess();
  const [first] = running;
  if (!first) throw new Error('At least one instance.');
  await eventually(() => running.every(({ context }) => Object.keys(context.health.problems()).length === 0));
  const { client, close } = testClient(served, first.server.grpcPort);
  const clock = testClockOf(first.server.grpcPort);
  const scope = { organizationId: newId(), businessId: newId() };
  const about = (subject: string, revision: number) => ({ subject, revision, ...scope, flowId: 'flow' });

  const emitChange = (integration: Integration) =>
    peer.emit(topics.integrationChanged, [{ emission: about(integration.id, integration.revision), data: { integration } }]);

  return {
    client,
    clock,
    context: first.context,
    db: first.context.db,
    sandbox,
    publisher,
    peer,
    scope,
    call: callAs(scope),
    emitChange,
    /** Starts another process of the service, with some other settings. */
    startProcess,
    /** Connects the sandbox's first account of a platform. */
    async connect(platform: Platform, scopes?: readonly string[]): Promise<Integration & { accessToken: string }> {
      const atSandbox = createPlatformClient({ baseUrl: sandbox.url, timeoutMs: 10_000 });
      const account = await connectAtSandbox(atSandbox, platform, { scopes });
      await atSandbox.close();
      const integration = publisher.add(platform, account, scope, { scopes: [...account.scopes] });
      await emitChange(integration);
      await eventually(
        async () => (await first.context.db.collection<{ _id: string }>('accounts').findOne({ _id: integration.id })) !== null,
      );
      return { ...integration, accessToken: account.accessToken };
    },
    /** Emits the events of a post that was published some time ago. @returns the delivery's id */
    async published(
      integration: Integration,
      publishId: string,
      publishedAt: Date,
      more: { postId?: string; metadata?: Record<string, string> } = {},
    ): Promise<string> {
      const [deliveryId, publicationId, postId] = [newId(), newId(), more.postId ?? newId()];
      const { id: integrationId, platform } = integration;
      const common = { publicationId, postId, ...scope };
      const metadata = Object.entries(more.metadata ?? {}).map(([key, value]) => ({ key, value }));
      const request = PublicationRequested.fromPartial({
        ...common,
        deliveries: [{ deliveryId, integrationId, platform }],
        snapshot: { caption: 'Bread', metadata },
      });
      await peer.emit(topics.publicationRequested, [{ emission: about(publicationId, 1), data: request }]);
      const changed = DeliveryChanged.fromPartial({
        ...common,
        deliveryId,
        integrationId,
        platform,
        status: 'DELIVERY_STATUS_SUCCESS',
        publishId,
        publishedAt,
      });
      await peer.emit(topics.deliveryChanged, [{ emission: about(deliveryId, 2), data: changed }]);
      return deliveryId;
    },
    async stop() {
      close();
      clock.close();
      await Promise.all(running.map(({ server }) => server.stop()));
      await Promise.all([peer.stop(), publisher.stop(), sandbox.stop()]);
      infra.leaveDatabase();
    },
  };
}
