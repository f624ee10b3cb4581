import { PlatformFailure } from '../calls/failure.ts';

/** What was read of each metric, and why the platform rejected the others. */
export interface MetricsRead<T> {
  readonly found: ReadonlyMap<string, T>;
  /** Metric → the platform's words. */
  readonly rejected: ReadonlyMap<string, string>;
}

/** Why a metric is missing. */
export interface Missing {
  /** The platform's words. */
  readonly why: string;
  /** The first day from which the platform provides the metric; undefined if it does not provide it at all. */
  readonly firstDay?: string;
}

/** A sentence for people for each reason, with all metrics that it is given for. */
export function notProvided(platform: string, missing: ReadonlyMap<string, Missing>): string[] {
  const byReason = Map.groupBy(missing, ([, { why, firstDay }]) => `${firstDay ?? ''} ${why}`);
  return [...byReason.values()].map((same) => {
    const names = same.map(([name]) => name).join(', ');
    const { why, firstDay } = same[0]?.[1] ?? { why: '' };
    return firstDay === undefined
      ? `${platform} does not provide ${names}: ${why}`
      : `${platform} provides ${names} only from ${firstDay} on: ${why}`;
  });
}

/**
 * Which of the metrics of a call a failure is about: the one that the platform names, all of them if it does not say which, none if the failure is about
 * something else, such as the dates or the token.
 */
export type Suspects = (failure: PlatformFailure, names: readonly string[]) => readonly string[];

/** The metrics that a text names. */
export const namedIn = (text: string, names: readonly string[]): string[] =>
  names.filter((name) => new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(text));

/**
 * Reads several metrics in one call. Platforms withdraw metrics, and reject a call that names one of these as a whole: the one that the failure is about
 * is left out and the rest is read again, or each alone if that is not known.
 * @param read throws PlatformFailure `validation` if the platform does not know a metric
 * @throws PlatformFailure if it is not about a metric
 */
export async function readMetrics<T>(
  names: readonly string[],
  read: (names: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  suspectsIn: Suspects,
): Promise<MetricsRead<T>> {
  const rejected = new Map<string, string>();
  const found = await attempt(names);
  return { found, rejected };

  async function attempt(some: readonly string[]): Promise<ReadonlyMap<string, T>> {
    if (some.length === 0) return new Map();
    try {
      return await read(some);
    } catch (error) {
      if (!(error instanceof PlatformFailure) || error.class !== 'validation' || error.effect !== 'rejected') throw error;
      const suspects = suspectsIn(error, some).filter((name) => some.includes(name));
      const [culprit] = suspects;
      if (culprit === undefined) throw error;
      if (suspects.length === 1) {
        rejected.set(culprit, error.message);
        return attempt(some.filter((name) => name !== culprit));
      }
      const each: ReadonlyMap<string, T>[] = [];
      for (const name of some) each.push(await attempt([name]));
      return new Map(each.flatMap((one) => [...one]));
    }
  }
}
