import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client';
import { clockSkewMs } from '../clock.ts';

/** Buckets for durations in seconds, from a millisecond to a minute. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Buckets for how late something is: what is usual in detail, and after that up to the default limit of lateness, a day. */
export const LAG_SECONDS = [...SECONDS, 300, 900, 3_600, 4 * 3_600, 24 * 3_600];

/** Get or create: a process with two contexts (as in tests) shares its metrics. */
export function counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
  return (register.getSingleMetric(name) as Counter<L> | undefined) ?? new Counter({ name, help, labelNames: [...labelNames] });
}

export function gauge<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
  return (register.getSingleMetric(name) as Gauge<L> | undefined) ?? new Gauge({ name, help, labelNames: [...labelNames] });
}

/** Whoever requests metrics waits no longer: other metrics matter most when a database does not respond. */
const MAX_READ_MS = 1_000;

/** A gauge whose value is read when metrics are requested; NaN while it cannot be read, or not soon. The newest reader counts. */
export function readGauge(name: string, help: string, read: () => Promise<number>): void {
  const metric = gauge(name, help);
  const collect = async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<number>((resolve) => (timer = setTimeout(() => resolve(NaN), MAX_READ_MS)));
    metric.set(await Promise.race([read(), late]).catch(() => NaN));
    clearTimeout(timer);
  };
  Object.assign(metric, { collect });
}

/** A histogram of seconds. */
export function histogram<L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[] = [],
  buckets: readonly number[] = SECONDS,
): Histogram<L> {
  return (
    (register.getSingleMetric(name) as Histogram<L> | undefined) ??
    new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets] })
  );
}

/** How often the event loop's delay is sampled. Each sample wakes the process, and the default of 10 ms is half of the CPU of an idle one. */
const EVENT_LOOP_PERIOD_MS = 100;

/** Adds the process's own metrics (memory, CPU, event loop, clock) to the registry; once per process. */
export function collectProcessMetrics(service: string): void {
  register.setDefaultLabels({ service });
  if (!register.getSingleMetric('process_cpu_user_seconds_total'))
    collectDefaultMetrics({ eventLoopMonitoringPrecision: EVENT_LOOP_PERIOD_MS });
  const skew = "Seconds that this machine's clock is ahead of the database's; negative when it is behind.";
  readGauge('fanfare_clock_skew_seconds', skew, async () => clockSkewMs() / 1000);
}

/** All metrics in the Prometheus text format. */
export async function renderMetrics(): Promise<{ contentType: string; body: string }> {
  return { contentType: register.contentType, body: await register.metrics() };
}
