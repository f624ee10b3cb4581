import type { World } from '../../world/world.ts';
import { invalidRequest } from './errors.ts';
import { limits } from './limits.ts';
import type { PinterestCall } from './pinterest-operation.ts';

const DAY_MS = 24 * 3600_000;

/** Days in UTC, both included. */
export interface Days {
  start: string;
  end: string;
}

export const dayBack = (world: World, days = 0) => new Date(world.now() - days * DAY_MS).toISOString().slice(0, 10);

/** The range of `pin_metrics`: the last days. */
export const recentDays = (world: World): Days => ({ start: dayBack(world, limits.analyticsDays), end: dayBack(world) });

/** The days that analytics are requested for. @throws Rejection */
export function daysIn(call: PinterestCall, world: World): Days {
  const { analyticsDays } = limits;
  const [start, end] = [dayIn(call, 'start_date'), dayIn(call, 'end_date')];
  if (start < dayBack(world, analyticsDays)) throw invalidRequest(`'start_date' cannot be more than ${analyticsDays} days back from today`);
  if (end < start) throw invalidRequest("'end_date' must not be before 'start_date'");
  if (Date.parse(end) - Date.parse(start) > analyticsDays * DAY_MS)
    throw invalidRequest(`'end_date' cannot be more than ${analyticsDays} days past 'start_date'`);
  return { start, end };
}

/** The current day is still being counted, and the one before may change. */
export function statusOf(world: World, day: string): 'READY' | 'ESTIMATE' | 'PROCESSING' {
  if (day >= dayBack(world)) return 'PROCESSING';
  return day === dayBack(world, 1) ? 'ESTIMATE' : 'READY';
}

/** The names in `metric_types`, which are separated by commas. @throws Rejection */
export function metricsIn({ query }: PinterestCall, known: readonly string[]): string[] {
  const requested = query.getAll('metric_types').flatMap((names) => names.split(','));
  if (requested.length === 0) throw invalidRequest("'metric_types' is required");
  const unknown = requested.find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidRequest(`'metric_types': '${unknown}' is not one of ${known.join(', ')}`);
  return requested;
}

/** Parameters that select a part of the statistics: the sandbox supports only the whole. @throws Rejection */
export function rejectParts({ query }: PinterestCall, wholes: Readonly<Record<string, string>>): void {
  for (const [name, whole] of Object.entries(wholes)) {
    if ((query.get(name) ?? whole) !== whole) throw invalidRequest(`'${name}': the sandbox supports ${whole} alone`);
  }
}

function dayIn({ query }: PinterestCall, name: string): string {
  const day = query.get(name);
  if (day === null) throw invalidRequest(`'${name}' is required`);
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  // Some days do not exist: 2026-02-30 would be in March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) throw invalidRequest(`'${name}': '${day}' is not a 'date'`);
  return day;
}
