import { TestClockServiceService } from '@fanfare/contracts/clock';
import { findErased } from '@fanfare/erasure';
import { clockedEvents, startMessaging } from '@fanfare/events';
import { startAnchoring } from '@fanfare/ledger';
import { startRpcServer } from '@fanfare/rpc';
import { startAdminServer, type Running } from '@fanfare/runtime';
import { startTestClocks } from '@fanfare/test-clock';
import { startCategorySweep } from './topics/clear-categories.ts';
import { clockedWork } from './clocked-work.ts';
import { subscriptions } from './consumers/index.ts';
import type { Context } from './context.ts';
import { startFollowingDesigns } from './designs/follow-designs.ts';
import { startDeletingExpiredImports } from './media/delete-expired-imports.ts';
import { startFollowingMedia } from './media/follow-media.ts';
import { startEmptyingQueues } from './editing/empty-queue.ts';
import { startDueLoop } from './publishing/due-loop.ts';
import { startRecheckingAfterReleases } from './risks/recheck-after-release.ts';
import { startSlotLoop } from './publishing/slot-loop.ts';
import { watchDuePosts } from './publishing/watch-due-posts.ts';
import { startRecheckingRisks } from './risks/recheck-risks.ts';
import { handlers } from './rpc/index.ts';
import { served } from './rpc/rpc.ts';

export async function startServer(context: Context): Promise<Running & { readonly grpcPort: number; readonly adminPort: number }> {
  const { config, db, health, log, mongo } = context;
  const admin = await startAdminServer({ service: 'content', address: config.adminAddress, health });

  const messaging = startMessaging({
    group: 'content',
    subscriptions: subscriptions(context),
    findErased: (ids) => findErased(context.db, ids),
    followsClocks: true,
    mongo,
    settings: config.kafka,
    log,
    // Results of deliveries and changes of accounts and media may be shown this much later, which allows larger batches.
    gatherMs: 100,
    afterCommit: () => undefined,
  });
  health.addWork('events', messaging.problem);
  const dueLoop = startDueLoop(context);
  health.addWork('due-loop', dueLoop.problem);
  const slotLoop = startSlotLoop(context);
  health.addWork('slot-loop', slotLoop.problem);
  const duePosts = watchDuePosts(context);
  health.addWork('late-posts', duePosts.problem);
  context.afterCommit.push(messaging.relay.wake);
  context.afterSchedule.push(dueLoop.expect);
  const categorySweep = startCategorySweep(context);
  const emptyingQueues = startEmptyingQueues(context);
  const followingMedia = startFollowingMedia(context);
  health.addWork('media-updates', followingMedia.problem);
  const followingDesigns = startFollowingDesigns(context);
  health.addWork('design-updates', followingDesigns.problem);
  const recheckingRisks = startRecheckingRisks(context);
  health.addWork('risk-checks', recheckingRisks.problem);
  const recheckingAfterReleases = startRecheckingAfterReleases(context);
  health.addWork('risk-rules', recheckingAfterReleases.problem);
  const deletingImports = startDeletingExpiredImports(context);
  health.addWork('expired-media-imports', deletingImports.problem);
  const anchoring = startAnchoring(context);
  health.addWork('ledger-anchors', anchoring.problem);
  const testClocks = await startTestClocks({
    ...{ db, log },
    work: clockedWork(db, [dueLoop, slotLoop]),
    events: clockedEvents({ db, group: 'content', subscriptions: subscriptions(context) }),
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
      await testClocks.stop();
      await Promise.all([dueLoop.stop(), slotLoop.stop(), duePosts.stop()]);
      await categorySweep.stop();
      await emptyingQueues.stop();
      await followingMedia.stop();
      await followingDesigns.stop();
      await recheckingRisks.stop();
      await recheckingAfterReleases.stop();
      await deletingImports.stop();
      await anchoring.stop();
      await messaging.stop();
      await admin.stop();
      await context.close();
    },
  };
}
