import type { Logger } from './telemetry/logger.ts';
import { counter } from './telemetry/metrics.ts';

/** Background work that runs again and again. */
export interface Loop {
  /** Runs it now, or once more right after the current run. */
  wake(): void;
  /** Why it is not working now; undefined while it is. For `Health`. */
  problem(): string | undefined;
  /** Waits for the current run, and starts none after it. */
  stop(): Promise<void>;
}

/**
 * Starts a loop. `run` returns how long to wait until the next run, in milliseconds; 0 means at once. If it throws, the loop continues after a
 * growing, jittered delay. A loop whose run is late or has failed for longer than `stalledAfterMs` reports that, so that readiness shows it.
 */
export function startLoop(options: { name: string; log: Logger; run: () => Promise<number>; stalledAfterMs?: number }): Loop {
  const { name, log, run, stalledAfterMs = 30_000 } = options;
  const failures = counter('fanfare_loop_failures_total', 'Failed runs of a background loop.', ['loop']);
  let stopped = false;
  let woken = false;
  let interrupt: (() => void) | undefined;
  let dueSince = performance.now();
  let failuresInARow = 0;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      interrupt = () => (clearTimeout(timer), resolve());
    });

  const finished = (async () => {
    while (!stopped) {
      woken = false;
      let waitMs: number;
      try {
        waitMs = await run();
        dueSince = performance.now() + waitMs;
        failuresInARow = 0;
      } catch (error) {
        failures.inc({ loop: name });
        waitMs = backoffMs(failuresInARow++);
        log.error({ err: error, loop: name, retry_in_ms: waitMs }, 'a run of a background loop failed; retrying');
        woken = false;
      }
      if (!stopped && !woken && waitMs > 0) await pause(waitMs);
    }
  })();

  return {
    wake() {
      woken = true;
      interrupt?.();
    },
    problem() {
      const sinceDueMs = performance.now() - dueSince;
      return sinceDueMs > stalledAfterMs ? `has not succeeded for ${Math.round(sinceDueMs / 1000)} s` : undefined;
    },
    async stop() {
      stopped = true;
      interrupt?.();
      await finished;
    },
  };
}

/** Growing and jittered: 0.1 s, 0.2 s, … up to 10 s, each between half and the whole of it. */
export function backoffMs(attempt: number, firstMs = 100, maxMs = 10_000): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(full / 2 + Math.random() * (full / 2));
}
