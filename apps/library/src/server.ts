import { TestClockServiceService } from '@fanfare/contracts/clock';
import { findErased } from '@fanfare/erasure';
import { startMessaging } from '@fanfare/events';
import { startRpcServer } from '@fanfare/rpc';
import { startAdminServer, type Running } from '@fanfare/runtime';
import { startTestClocks } from '@fanfare/test-clock';
import { startCleanup } from './cleanup/cleanup-loop.ts';
import { subscriptions } from './consumers/index.ts';
import type { Context } from './context.ts';
import { startDerivativeLoop } from './derivatives/derivative-loop.ts';
import { startHttpServer } from './http/start-http-server.ts';
import { startIntakeLoop } from './intake/intake-loop.ts';
import { startResumableSweep } from './uploads/sweep-resumable.ts';
import { handlers } from './rpc/index.ts';
import { served } from './rpc/rpc.ts';
import { startTranscriptLoop } from './transcripts/transcript-loop.ts';

interface LibraryServer extends Running {
  readonly grpcPort: number;
  readonly httpPort: number;
  readonly adminPort: number;
}

export async function startServer(context: Context): Promise<LibraryServer> {
  const { config, health, log, mongo } = context;
  const admin = await startAdminServer({ service: 'library', address: config.adminAddress, health });

  const messaging = startMessaging({
    group: 'library',
    subscriptions: subscriptions(context),
    findErased: (ids) => findErased(context.db, ids),
    mongo,
    settings: config.kafka,
    log,
    // Not urgent: media of a post are reserved by RPC before its event.
    gatherMs: 500,
    afterCommit: () => undefined,
  });
  health.addWork('events', messaging.problem);
  context.afterCommit.push(messaging.relay.wake);
  const cleanup = startCleanup(context);
  const resumable = startResumableSweep(context);
  const intakes = startIntakeLoop(context);
  context.afterIntake.push(intakes.wake);
  health.addWork('intakes', intakes.problem);
  const derivatives = startDerivativeLoop(context);
  const transcripts = startTranscriptLoop(context);
  context.afterWanted.push(derivatives.wake, transcripts.wake);
  health.addWork('derivatives', derivatives.problem);
  health.addWarning('decoders', () => context.workers.warning);
  const http = await startHttpServer(context);
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
    httpPort: http.port,
    adminPort: admin.port,
    async stop() {
      await Promise.all([rpc.stop(), http.stop()]);
      await Promise.all([testClocks.stop(), cleanup.stop(), resumable.stop(), intakes.stop(), derivatives.stop(), transcripts.stop()]);
      await messaging.stop();
      await admin.stop();
      await context.close();
    },
  };
}
