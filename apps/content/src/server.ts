import { ContentServiceService } from '@fanfare/contracts/content';
import { startMessaging } from '@fanfare/events';
import { startRpcServer } from '@fanfare/rpc';
import { startAdminServer, type Running } from '@fanfare/runtime';
import { startCategorySweep } from './categories/clear-categories.ts';
import { subscriptions } from './consumers/index.ts';
import type { Context } from './context.ts';
import { startFollowingDesigns } from './designs/follow-designs.ts';
import { startDeletingExpiredImports } from './media/delete-expired-imports.ts';
import { startFollowingMedia } from './media/follow-media.ts';
import { startDueLoop } from './publishing/due-loop.ts';
import { handlers } from './rpc/index.ts';

export async function startServer(context: Context): Promise<Running & { readonly grpcPort: number; readonly adminPort: number }> {
  const { config, health, log, mongo } = context;
  const admin = await startAdminServer({ service: 'content', address: config.adminAddress, health });

  const messaging = startMessaging({
    group: 'content',
    subscriptions: subscriptions(context),
    mongo,
    settings: config.kafka,
    log,
    // Results of deliveries and changes of accounts and media may be shown this much later, which allows larger batches.
    patienceMs: 100,
    afterCommit: () => undefined,
  });
  health.add('events', messaging.problem);
  const dueLoop = startDueLoop(context);
  health.add('due-loop', dueLoop.problem);
  context.afterCommit.push(messaging.relay.wake);
  context.afterSchedule.push(dueLoop.expect);
  const categorySweep = startCategorySweep(context);
  const followingMedia = startFollowingMedia(context);
  health.add('media-updates', followingMedia.problem);
  const followingDesigns = startFollowingDesigns(context);
  health.add('design-updates', followingDesigns.problem);
  const deletingImports = startDeletingExpiredImports(context);
  health.add('expired-media-imports', deletingImports.problem);
  const rpc = await startRpcServer({
    address: config.grpcAddress,
    definition: ContentServiceService,
    handlers: handlers(context),
    health,
    log,
    tls: context.peerTls,
    reflection: config.reflection,
  });

  return {
    grpcPort: rpc.port,
    adminPort: admin.port,
    async stop() {
      await rpc.stop();
      await dueLoop.stop();
      await categorySweep.stop();
      await followingMedia.stop();
      await followingDesigns.stop();
      await deletingImports.stop();
      await messaging.stop();
      await admin.stop();
      await context.close();
    },
  };
}
