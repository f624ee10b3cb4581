import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { AdminServiceService } from '@fanfare/contracts/gateway';
import { findErased } from '@fanfare/erasure';
import { startListener } from '@fanfare/events';
import { startRpcServer } from '@fanfare/rpc';
import { parseAddress, startAdminServer, type Running } from '@fanfare/runtime';
import { startTestClocks } from '@fanfare/test-clock';
import { createHttpTerminator } from 'http-terminator';
import { adminHandlers, startDigests, startMailSender, subscriptions } from './accounts/index.ts';
import { listAllFeedback } from './api/feedback/list-all-feedback.ts';
import { createApp } from './app.ts';
import { startCanary } from './canary/start-canary.ts';
import { startDeletions } from './deletions/start-deletions.ts';
import type { Context } from './context.ts';
import { deadLetterHandlers } from './dead-letters/index.ts';
import { startExports } from './exports/start-exports.ts';
import { createHttpServer } from './http/http-server.ts';
import { startClockAdvances } from './test-clock/start-clock-advances.ts';

/** Requests under way get this long at a stop: longer than a read, shorter, with the drain, than what the process is given to end. */
const STOP_TIMEOUT_MS = 10_000;

export interface GatewayServer extends Running {
  readonly httpPort: number;
  readonly adminGrpcPort: number;
  readonly adminPort: number;
}

export async function startServer(context: Context): Promise<GatewayServer> {
  const { config, health, log } = context;
  const admin = await startAdminServer({ service: 'gateway', address: config.adminAddress, health });
  const rpc = await startRpcServer({
    address: config.adminGrpcAddress,
    definition: AdminServiceService,
    handlers: { ...adminHandlers(context), listFeedback: listAllFeedback(context), ...deadLetterHandlers(context) },
    health,
    log,
    tls: context.peerTls,
    reflection: config.reflection,
  });
  const server = createHttpServer(context, createApp(context));
  const mailSender = startMailSender(context);
  const digests = startDigests(context);
  const deletions = startDeletions(context);
  const exports = startExports(context);
  const listener = startListener({
    group: 'gateway',
    subscriptions: subscriptions(context),
    findErased: (ids) => findErased(context.db, ids),
    mongo: context.mongo,
    settings: config.kafka,
    log,
    // Nothing comes of them but mails.
    gatherMs: 500,
    afterCommit: () => undefined,
  });
  // Requests depend on neither.
  health.addWork('events', listener.lateness);
  health.addWarning('events', listener.problem);
  health.addWork('digests', digests.problem);
  const testClocks = await startTestClocks({ db: context.db, log, work: [] });
  health.addWork('test-clocks', testClocks.problem);
  const clockAdvances = startClockAdvances(context);
  health.addWork('clock-advances', clockAdvances.problem);
  context.onClockRequested.push(clockAdvances.wake);
  context.onExportRequested.push(exports.wake);
  health.addWork('deletions', deletions.problem);
  health.addWork('exports', exports.problem);
  const canary = config.canaryEveryMs === undefined ? undefined : await startCanary(context, config.canaryEveryMs);
  if (canary) health.addWork('canary', canary.problem);
  let isStopping = false;
  health.add('stop', () => (isStopping ? 'This process is shutting down.' : undefined));
  const terminator = createHttpTerminator({ server, gracefulTerminationTimeout: STOP_TIMEOUT_MS });
  const httpPort = await listen(server, config.httpAddress);
  admin.started();

  return {
    httpPort,
    adminGrpcPort: rpc.port,
    adminPort: admin.port,
    async stop() {
      isStopping = true;
      // Balancers learn of it late, and what they send until then must not meet a closed port.
      await pause(config.drainMs);
      context.eventStreams.end();
      await Promise.all([
        terminator.terminate(),
        rpc.stop(),
        mailSender.stop(),
        listener.stop(),
        digests.stop(),
        deletions.stop(),
        testClocks.stop(),
        clockAdvances.stop(),
        exports.stop(),
        canary?.stop(),
      ]);
      await admin.stop();
      await context.close();
    },
  };
}

async function listen(server: Server, address: string): Promise<number> {
  const { host, port } = parseAddress(address);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}
