import { PlatformFailure } from '../calls/failure.ts';

/** What was read of each metric, and why the platform rejected the others. */
export interface MetricsRead<T> {
  readonly found: ReadonlyMap<string, T>;
  /** Metric → the platform's words. */
  readonly rejected: ReadonlyMap<string, string>;
}

/** A sentence for people for each reason, with all metrics that it is given for. */
export function notProvided(platform: string, rejected: ReadonlyMap<string, string>): string[] {
  const byReason = Map.groupBy(rejected, ([, why]) => why);
  return [...byReason].map(([why, metrics]) => `${platform} does not provide ${metrics.map(([name]) => name).join(', ')}: ${why}`);
}

/**
 * Reads several metrics in one call. Platforms withdraw metrics, and reject a call that names one of these as a whole: the one that the failure is about
 * is left out and the rest is read again, or each alone if that is not known.
 * @param read throws PlatformFailure `validation` if the platform does not know a metric
 * @param rejectedBy which of the names a failure is about, if it says so; throws other failures
 * @throws PlatformFailure of any other class
 */
export async function readMetrics<T>(
  names: readonly string[],
  read: (names: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  rejectedBy: (failure: PlatformFailure, names: readonly string[]) => string | undefined = () => undefined,
): Promise<MetricsRead<T>> {
  const rejected = new Map<string, string>();
  const found = await attempt(names);
  return { found, rejected };

  async function attempt(some: readonly string[]): Promise<ReadonlyMap<string, T>> {
    if (some.length === 0) return new Map();
    try {
      return await read(some);
    } catch (error) {
      if (!(error instanceof PlatformFailure) || !mayBeAboutMetric(error)) throw error;
      const named = rejectedBy(error, some);
      const culprit = some.length === 1 ? some[0] : named;
      if (culprit !== undefined && some.includes(culprit)) {
        rejected.set(culprit, error.message);
        return attempt(some.filter((name) => name !== culprit));
      }
      const each: ReadonlyMap<string, T>[] = [];
      for (const name of some) each.push(await attempt([name]));
      return new Map(each.flatMap((one) => [...one]));
    }
  }
}

/** Failures that speak of the range, the token or the whole request are not about a metric: they say nothing about what the platform provides. */
const ABOUT_SOMETHING_ELSE =
  /\b(since|until|start[_ ]?date|end[_ ]?date|date ?range|time ?range|timeRange)\b|access token|no metric was specified/i;

const mayBeAboutMetric = ({ class: kind, effect, message }: PlatformFailure): boolean =>
  kind === 'validation' && effect === 'refused' && !ABOUT_SOMETHING_ELSE.test(message);
