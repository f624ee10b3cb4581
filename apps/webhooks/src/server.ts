import { TestClockServiceService } from '@fanfare/contracts/clock';
import { findErased } from '@fanfare/erasure';
import { clockedEvents, startMessaging } from '@fanfare/events';
import { startRpcServer } from '@fanfare/rpc';
import { currentTime, startAdminServer, type Running } from '@fanfare/runtime';
import { startTestClocks } from '@fanfare/test-clock';
import { clockedWork } from './clocked-work.ts';
import { subscriptions } from './consumers/index.ts';
import type { Context } from './context.ts';
import { countDue } from './deliveries/store/deliveries.ts';
import { readDeliveriesDue } from './metrics.ts';
import { handlers } from './rpc/index.ts';
import { served } from './rpc/rpc.ts';
import { startSender } from './sending/sender.ts';
import { startSweep } from './sending/sweep.ts';

export async function startServer(context: Context): Promise<Running & { readonly grpcPort: number; readonly adminPort: number }> {
  const { afterCommit, arrivals, config, db, health, log, mongo } = context;
  const admin = await startAdminServer({ service: 'webhooks', address: config.adminAddress, health });
  readDeliveriesDue(() => countDue(db, currentTime()));
  const sender = startSender(context);
  health.addWork('sender', sender.problem);
  const sweep = startSweep(context, sender);
  health.addWork('sweep', sweep.problem);
  const messaging = startMessaging({
    group: 'webhooks',
    subscriptions: subscriptions(context),
    findErased: (ids) => findErased(context.db, ids),
    followsClocks: true,
    mongo,
    settings: config.kafka,
    log,
    // Under load, several events share a transaction; a caller who waits for one waits that much longer.
    gatherMs: 50,
    afterCommit: () => afterCommit.forEach((wake) => wake()),
  });
  health.addWork('events', messaging.problem);
  afterCommit.push(messaging.relay.wake, sender.wake);
  const testClocks = await startTestClocks({
    ...{ db, log },
    work: clockedWork(db, sender),
    events: clockedEvents({ db, group: 'webhooks', subscriptions: subscriptions(context) }),
  });
  health.addWork('test-clocks', testClocks.problem);
  const rpc = await startRpcServer({
    address: config.grpcAddress,
    definition: { ...served, ...TestClockServiceService },
    handlers: { ...handlers(context), ...testClocks.handlers },
    health,
    log,
    tls: context.peerTls,
    reflection: config.reflection,
  });
  admin.started();

  return {
    grpcPort: rpc.port,
    adminPort: admin.port,
    async stop() {
      // Callers who wait for events get an empty page now, so that their calls end.
      arrivals.end();
      await rpc.stop();
      await Promise.all([sender.stop(), sweep.stop(), testClocks.stop()]);
      await messaging.stop();
      await admin.stop();
      await context.close();
    },
  };
}
