import { TestClockServiceService } from '@fanfare/contracts/clock';
import { findErased } from '@fanfare/erasure';
import { clockedEvents, startMessaging } from '@fanfare/events';
import { startAnchoring } from '@fanfare/ledger';
import { startRpcServer } from '@fanfare/rpc';
import { startAdminServer, type Running } from '@fanfare/runtime';
import { startTestClocks } from '@fanfare/test-clock';
import { startRevocations } from './accounts/revocations/start-revocations.ts';
import { listIntegrationsOf } from './accounts/store/integrations.ts';
import { startTokenChecks } from './accounts/tokens/start-token-checks.ts';
import { clockedWork } from './clocked-work.ts';
import { subscriptions } from './consumers/index.ts';
import type { Context } from './context.ts';
import { leaseMsOf } from './engine/deliver.ts';
import { startDispatcher } from './engine/dispatcher.ts';
import { readDueDeliveries, readOpenDeliveries } from './metrics.ts';
import { startRemovals } from './removals/start-removals.ts';
import { putPause, RESTORE_PAUSE } from './pauses/store/pauses.ts';
import { copyQuotas } from './quotas/by-clock.ts';
import { startRetention } from './retention/start-retention.ts';
import { handlers } from './rpc/index.ts';
import { served } from './rpc/rpc.ts';
import { takingBack } from './strategies/taking-back.ts';
import { countDueDeliveries, countOpenDeliveries } from './deliveries/store/due-deliveries.ts';
import { watchDueDeliveries } from './deliveries/watch-due-deliveries.ts';

export async function startServer(context: Context): Promise<Running & { readonly grpcPort: number; readonly adminPort: number }> {
  const { config, health, log, mongo } = context;
  const admin = await startAdminServer({ service: 'publisher', address: config.adminAddress, health });

  if (config.pauseOnStart) {
    await putPause(context.db, { _id: RESTORE_PAUSE, reason: 'PAUSE_ON_START is set.' });
    log.warn({ pause: RESTORE_PAUSE }, 'everything is paused, because PAUSE_ON_START is set');
  }
  readDueDeliveries(async () => countDueDeliveries(context.db, await context.paused(), leaseMsOf(context)));
  readOpenDeliveries(() => countOpenDeliveries(context.db));
  const dispatcher = startDispatcher(context);
  health.addWork('dispatcher', dispatcher.problem);
  const dueDeliveries = watchDueDeliveries(context);
  health.addWork('late-deliveries', dueDeliveries.problem);
  const tokenChecks = startTokenChecks(context);
  health.addWork('tokens', tokenChecks.problem);
  const revocations = startRevocations(context);
  const removals = startRemovals(context, takingBack);
  health.addWork('removals', removals.problem);
  const retention = startRetention(context);
  health.addWarning('retention', retention.problem);
  const messaging = startMessaging({
    group: 'publisher',
    subscriptions: subscriptions(context),
    findErased: (ids) => findErased(context.db, ids),
    followsClocks: true,
    mongo,
    settings: config.kafka,
    log,
    afterCommit: () => {
      dispatcher.wake();
      removals.wake();
    },
  });
  health.addWork('events', messaging.problem);
  context.afterCommit.push(messaging.relay.wake);
  const anchoring = startAnchoring(context);
  health.add('ledger-anchors', anchoring.problem);
  const testClocks = await startTestClocks({
    ...{ db: context.db, log },
    work: clockedWork(context, { dispatcher, removals, tokenChecks }),
    events: clockedEvents({ db: context.db, group: 'publisher', subscriptions: subscriptions(context) }),
    begin: async (organizationId) => copyQuotas(context.db, organizationId, await listIntegrationsOf(context.db, organizationId)),
  });
  health.addWork('test-clocks', testClocks.problem);
  const rpc = await startRpcServer({
    address: config.grpcAddress,
    definition: { ...served, ...TestClockServiceService },
    handlers: { ...handlers(context), ...testClocks.handlers },
    health,
    log,
    tls: context.peerTls,
    callers: {
      lendAccess: config.accessPeers,
      getIntegration: [...(config.peerTls?.peers ?? []), ...config.accessPeers],
    },
    reflection: config.reflection,
  });
  admin.started();

  return {
    grpcPort: rpc.port,
    adminPort: admin.port,
    async stop() {
      await rpc.stop();
      const work = [dispatcher, dueDeliveries, tokenChecks, revocations, removals, retention, anchoring, testClocks];
      await Promise.all(work.map((one) => one.stop()));
      await messaging.stop();
      await admin.stop();
      await context.close();
    },
  };
}
