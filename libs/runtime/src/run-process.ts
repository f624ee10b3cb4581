import { freeAfterStart } from './collect-garbage.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';

/** The running parts of a process. */
export interface Running {
  /** Stops accepting work, finishes or releases its current work, closes. */
  stop(): Promise<void>;
}

/** Longer than the longest commit call of a platform (60 s): a deployment must wait this long before it kills (terminationGracePeriodSeconds: 90). */
const STOP_LIMIT_MS = 75_000;

/** After this time, a person who started it by hand wants to know why nothing happens. */
const SLOW_START_MS = 2_000;

/**
 * Runs a process until SIGTERM, SIGINT, or until the parent that started it with an IPC channel has ended. A process that is still starting ends at
 * once, because it has accepted no work yet. A failed start prints one line with the reason and exits with 1; so does an uncaught error.
 */
export async function runProcess(service: string, start: (log: Logger) => Promise<Running>): Promise<void> {
  const log = createLogger(service);
  const die = (message: string) => (error: unknown) => {
    log.fatal({ err: error }, message);
    process.exit(1);
  };
  process.on('uncaughtException', die('uncaught exception'));
  process.on('unhandledRejection', die('unhandled rejection'));

  let running: Running | undefined;
  let stopping = false;
  const stop = (why: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'stopping');
    setTimeout(() => die('did not shut down in time')(undefined), STOP_LIMIT_MS).unref();
    void Promise.resolve(running?.stop())
      .then(() => log.info('stopped'))
      .then(flushTraces)
      .then(() => process.exit(0), die('failed to stop'));
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  const orphaned = () => stop('the parent process ended');
  process.on('disconnect', orphaned);
  if (process.send && !process.connected) return orphaned(); // The parent ended before this process listened.

  const slow = setTimeout(() => log.info('still starting: waiting for a dependency, such as MongoDB or Kafka, to respond'), SLOW_START_MS);
  try {
    running = await start(log);
    clearTimeout(slow);
    freeAfterStart();
    log.info({ started_in_ms: Math.round(performance.now()), memory_mb: Math.round(process.memoryUsage.rss() / 1e6) }, 'started');
  } catch (error) {
    die(`cannot start: ${error instanceof Error ? error.message : String(error)}`)(error);
  }
}

/** Set by tracing.ts when tracing is on. A collector that does not respond must not keep the process. */
async function flushTraces(): Promise<void> {
  const flush = (globalThis as Record<symbol, unknown>)[Symbol.for('fanfare.flushTraces')] as (() => Promise<void>) | undefined;
  await Promise.race([flush?.().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, flush ? 2_000 : 0))]);
}
