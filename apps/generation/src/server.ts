import { startPublishing } from '@fanfare/events';
import { startRpcServer } from '@fanfare/rpc';
import { startAdminServer, type Running } from '@fanfare/runtime';
import type { Context } from './context.ts';
import { startJobLoop } from './jobs/job-loop.ts';
import { countWaitingJobs, oldestJobLagMs } from './jobs/store/jobs.ts';
import { startUploadCleanup } from './cleanup/upload-cleanup.ts';
import { readJobLag, readJobsWaiting } from './metrics.ts';
import { handlers } from './rpc/index.ts';
import { served } from './rpc/rpc.ts';

export async function startServer(context: Context): Promise<Running & { readonly grpcPort: number; readonly adminPort: number }> {
  const { config, db, health, log, mongo } = context;
  const admin = await startAdminServer({ service: 'generation', address: config.adminAddress, health });

  readJobsWaiting(() => countWaitingJobs(db));
  readJobLag(async () => (await oldestJobLagMs(db)) / 1_000);
  const jobs = startJobLoop(context);
  health.addWork('jobs', jobs.problem);
  const cleanup = startUploadCleanup(context);
  health.addWork('upload-cleanup', cleanup.problem);
  const events = startPublishing({ mongo, settings: config.kafka, log });
  health.addWork('events', events.problem);
  context.afterCommit.push(events.wake, jobs.wake, cleanup.wake);
  const rpc = await startRpcServer({
    address: config.grpcAddress,
    definition: served,
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
      await Promise.all([jobs.stop(), cleanup.stop()]);
      await events.stop();
      await admin.stop();
      await context.close();
    },
  };
}
