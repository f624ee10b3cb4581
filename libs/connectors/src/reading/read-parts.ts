import { PlatformFailure } from '../calls/failure.ts';
import { daysAfter, splitDays } from './day-range.ts';
import type { Missing, MetricsRead } from './read-metrics.ts';
import type { DayRange } from './reading.ts';

/** What was read of a range in several calls. */
export interface PartsRead<T> {
  /** What was found of each metric, oldest part first. */
  readonly found: ReadonlyMap<string, readonly T[]>;
  /** Metrics that the platform rejects, for all parts or for the older ones. They have no total. */
  readonly missing: ReadonlyMap<string, Missing>;
}

/**
 * Reads metrics of a range that may be longer than one call allows. The newest part is read first: a metric that the platform rejects is not
 * requested for older parts, and if it rejects days that are too old by its own clock, the newer ones are known.
 * @throws PlatformFailure
 */
export async function readParts<T>(
  range: DayRange,
  daysPerCall: number,
  names: readonly string[],
  read: (part: DayRange, names: readonly string[]) => Promise<MetricsRead<T>>,
): Promise<PartsRead<T>> {
  const found = new Map<string, T[]>();
  const missing = new Map<string, Missing>();
  for (const part of splitDays(range, daysPerCall).reverse()) {
    const requested = names.filter((name) => !missing.has(name));
    if (requested.length === 0) break;
    const isNewest = part.end === range.end;
    const { found: some, rejected } = await read(part, requested).catch((error: unknown) => {
      if (isNewest || !isAboutDates(error)) throw error;
      return { found: new Map<string, T>(), rejected: new Map(requested.map((name) => [name, error.message])) };
    });
    for (const [name, why] of rejected) missing.set(name, { why, ...(!isNewest && { firstDay: daysAfter(part.end, 1) }) });
    for (const [name, values] of some) found.set(name, [values, ...(found.get(name) ?? [])]);
  }
  return { found, missing };
}

const DATES = /\b(since|until|(start|end)[_ ]?date|(date|time) ?range)\b/i;

const isAboutDates = (error: unknown): error is PlatformFailure =>
  error instanceof PlatformFailure && error.class === 'validation' && error.effect === 'rejected' && DATES.test(error.message);
