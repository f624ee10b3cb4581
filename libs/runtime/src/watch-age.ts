import { startLoop } from './loop.ts';
import type { Logger } from './telemetry/logger.ts';
import { readGauge } from './telemetry/metrics.ts';

/** Work that waits. */
export interface Waiting {
  readonly ageMs: number;
  /** For operators, followed by the time: `the oldest due post has been waiting`. */
  readonly what: string;
}

/** Watches how long work has been waiting. */
export interface AgeWatch {
  /** Why the work is late, or not known to be in time; undefined while it is in time. For `Health.addWork`. */
  problem(): string | undefined;
  stop(): Promise<void>;
}

/** Health has to show what is late within 15 s. */
const LOOK_MS = 5_000;
/** When no measurement has succeeded for this long, nobody knows whether the work is late. */
const UNKNOWN_AFTER_MS = 10_000;

/**
 * Measures every few seconds how long work has been waiting, for health and a metric. Each replica measures all of the work, not only its own: the
 * replica that works on it may be the one that cannot report.
 * @param options.measure returns undefined while nothing waits
 * @param options.lateAfterMs older work is late
 */
export function watchAge(options: {
  name: string;
  metric: { readonly name: string; readonly help: string };
  log: Logger;
  lateAfterMs: number;
  measure: () => Promise<Waiting | undefined>;
}): AgeWatch {
  const { name, metric, log, lateAfterMs, measure } = options;
  let waiting: Waiting | undefined;
  const loop = startLoop({
    name,
    log,
    stalledAfterMs: UNKNOWN_AFTER_MS,
    async run() {
      waiting = await measure();
      return LOOK_MS;
    },
  });
  readGauge(metric.name, metric.help, async () => {
    if (loop.problem() !== undefined) throw new Error('It is unknown.');
    return (waiting?.ageMs ?? 0) / 1000;
  });
  return {
    problem() {
      const unknown = loop.problem();
      if (unknown !== undefined) return `measuring how late it is ${unknown}`;
      return waiting && waiting.ageMs > lateAfterMs ? `${waiting.what} for ${Math.round(waiting.ageMs / 1000)} s` : undefined;
    },
    stop: loop.stop,
  };
}
