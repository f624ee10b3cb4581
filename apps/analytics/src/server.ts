import { TestClockServiceService } from '@fanfare/contracts/clock';
import { findErased } from '@fanfare/erasure';
import { clockedEvents, startMessaging } from '@fanfare/events';
import { startRpcServer } from '@fanfare/rpc';
import { startAdminServer, type Running } from '@fanfare/runtime';
import { startTestClocks } from '@fanfare/test-clock';
import { accountLagMs, countDueAccounts } from './accounts/store/accounts.ts';
import { clockedWork } from './clocked-work.ts';
import { subscriptions } from './consumers/index.ts';
import type { Context } from './context.ts';
import { readSnapshotLag, readSnapshotsDue } from './metrics.ts';
import { countDuePosts, postLagMs } from './posts/store/posts.ts';
import { handlers } from './rpc/index.ts';
import { served } from './rpc/rpc.ts';
import { startAccountSnapshots } from './snapshots/account-snapshots.ts';
import { startPostSnapshots } from './snapshots/post-snapshots.ts';

export async function startServer(context: Context): Promise<Running & { readonly grpcPort: number; readonly adminPort: number }> {
  const { config, db, health, log, mongo } = context;
  const admin = await startAdminServer({ service: 'analytics', address: config.adminAddress, health });

  readSnapshotsDue(async () => (await countDuePosts(db)) + (await countDueAccounts(db)));
  readSnapshotLag(async () => Math.max(await postLagMs(db), await accountLagMs(db)) / 1_000);
  const postSnapshots = startPostSnapshots(context);
  health.addWork('post-snapshots', postSnapshots.problem);
  const accountSnapshots = startAccountSnapshots(context);
  health.addWork('account-snapshots', accountSnapshots.problem);
  const messaging = startMessaging({
    group: 'analytics',
    subscriptions: subscriptions(context),
    findErased: (ids) => findErased(context.db, ids),
    followsClocks: true,
    mongo,
    settings: config.kafka,
    log,
    // No caller waits for these events.
    gatherMs: 200,
    afterCommit() {
      postSnapshots.wake();
      accountSnapshots.wake();
    },
  });
  health.addWork('events', messaging.problem);
  context.afterCommit.push(messaging.relay.wake);
  const testClocks = await startTestClocks({
    ...{ db, log },
    work: clockedWork(db, { postSnapshots, accountSnapshots }),
    events: clockedEvents({ db, group: 'analytics', subscriptions: subscriptions(context) }),
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
      await rpc.stop();
      await Promise.all([postSnapshots.stop(), accountSnapshots.stop(), testClocks.stop()]);
      await messaging.stop();
      await admin.stop();
      await context.close();
    },
  };
}
