import { PublisherServiceService } from '@fanfare/contracts/publisher';
import { startMessaging } from '@fanfare/events';
import { startRpcServer } from '@fanfare/rpc';
import { startAdminServer, type Running } from '@fanfare/runtime';
import { startRevocations } from './accounts/revocations/start-revocations.ts';
import { startTokenChecks } from './accounts/tokens/start-token-checks.ts';
import { subscriptions } from './consumers/index.ts';
import type { Context } from './context.ts';
import { startDispatcher } from './engine/dispatcher.ts';
import { readOpenDeliveries } from './metrics.ts';
import { handlers } from './rpc/index.ts';
import { countOpenDeliveries } from './deliveries/store/due-deliveries.ts';

export async function startServer(context: Context): Promise<Running & { readonly grpcPort: number; readonly adminPort: number }> {
  const { config, health, log, mongo } = context;
  const admin = await startAdminServer({ service: 'publisher', address: config.adminAddress, health });

  readOpenDeliveries(() => countOpenDeliveries(context.db));
  const dispatcher = startDispatcher(context);
  health.add('dispatcher', dispatcher.problem);
  const tokenChecks = startTokenChecks(context);
  health.add('tokens', tokenChecks.problem);
  const revocations = startRevocations(context);
  const messaging = startMessaging({
    group: 'publisher',
    subscriptions: subscriptions(context),
    mongo,
    settings: config.kafka,
    log,
    afterCommit: dispatcher.wake,
  });
  health.add('events', messaging.problem);
  context.afterCommit.push(messaging.relay.wake);
  const rpc = await startRpcServer({
    address: config.grpcAddress,
    definition: PublisherServiceService,
    handlers: handlers(context),
    health,
    log,
    tls: context.peerTls,
    callers: {
      lendAccess: config.accessPeers,
      getIntegration: [...(config.peerTls?.peers ?? []), ...config.accessPeers],
    },
    reflection: config.reflection,
  });

  return {
    grpcPort: rpc.port,
    adminPort: admin.port,
    async stop() {
      await rpc.stop();
      await Promise.all([dispatcher.stop(), tokenChecks.stop(), revocations.stop()]);
      await messaging.stop();
      await admin.stop();
      await context.close();
    },
  };
}
