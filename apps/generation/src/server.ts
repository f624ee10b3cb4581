import { TestClockServiceService } from '@fanfare/contracts/clock';
import { startPublishing } from '@fanfare/events';
import { startRpcServer } from '@fanfare/rpc';
import { startAdminServer, type Running } from '@fanfare/runtime';
import { startTestClocks } from '@fanfare/test-clock';
import type { Context } from './context.ts';
import { startJobLoop } from './jobs/job-loop.ts';
import { countOpenJobs, countWaitingJobs, oldestJobLagMs } from './jobs/store/jobs.ts';
import { startUploadCleanup } from './cleanup/upload-cleanup.ts';
import { readJobLag, readJobsOpen, readJobsWaiting } from './metrics.ts';
import { handlers } from './rpc/index.ts';
import { served } from './rpc/rpc.ts';

export async function startServer(context: Context): Promise<Running & { readonly grpcPort: number; readonly adminPort: number }> {
  const { config, db, health, log, mongo } = context;
  const admin = await startAdminServer({ service: 'generation', address: config.adminAddress, health });

  readJobsOpen(() => countOpenJobs(db));
  readJobsWaiting(() => countWaitingJobs(db));
  readJobLag(async () => (await oldestJobLagMs(db)) / 1_000);
  const jobs = startJobLoop(context);
  health.addWork('jobs', jobs.problem);
  const cleanup = startUploadCleanup(context);
  health.addWork('upload-cleanup', cleanup.problem);
  const events = startPublishing({ mongo, settings: config.kafka, log });
  health.addWork('events', events.problem);
  context.afterCommit.push(events.wake, jobs.wake, cleanup.wake);
  // Nothing here waits for the time of an organization.
  const testClocks = await startTestClocks({ db: context.db, log, work: [] });
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
      await Promise.all([jobs.stop(), cleanup.stop(), testClocks.stop()]);
      await events.stop();
      await admin.stop();
      await context.close();
    },
  };
}
