import { DomainError } from '@fanfare/errors';
import { Cron } from 'croner';
import { earliestShown, isTimeZone, whenShown } from './time-zone.ts';

/** The values of the five standard fields: no seconds, no years, no nicknames such as @daily, no L, W or #. */
const VALUE = '(?:\\d{1,2}|[a-z]{3})';
const ITEM = `(?:\\*|${VALUE}(?:-${VALUE})?)(?:/\\d{1,2})?`;
const FIELD = new RegExp(`^${ITEM}(?:,${ITEM})*$`, 'i');
const NUMERIC = /^[\d*/,-]+$/;
/** The month and the day of the week may also be names. */
const NAMED = new Set([3, 4]);

/**
 * Parses a cron expression: minute, hour, day of month, month, day of week, in local time of the time zone. If both day fields are restricted, a day matches
 * by either one, as in POSIX crontab.
 * @returns the expression with single spaces
 * @throws DomainError invalid_value `repeating_cron`, also if it never matches
 */
export function parseRepeatingCron(text: string, now: Date, timezone = 'UTC'): string {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) throw invalid('must have exactly five fields: minute, hour, day of month, month, day of week.');
  const wrong = fields.findIndex((field, index) => !FIELD.test(field) || !(NAMED.has(index) || NUMERIC.test(field)));
  if (wrong !== -1) throw invalid(`has a field that is not standard cron: "${fields[wrong]}".`);
  const cron = fields.join(' ');
  if (!nextTime(cron, now, timezone)) throw invalid('never matches a date.');
  return cron;
}

/**
 * The next match strictly after `after`; undefined if there is none. When clocks change, a named hour matches once: an hour that is skipped, at the moment
 * of the change; an hour that occurs twice, the first time. A cron for every hour (`*`) matches every hour that passes.
 */
export function nextTime(cron: string, after: Date, timezone = 'UTC'): Date | undefined {
  try {
    const isEveryHour = cron.split(' ')[1] === '*';
    if (timezone === 'UTC' || isEveryHour) return scheduleOf(cron, timezone).nextRun(after) ?? undefined;
    // Computed in local time without clock changes, then converted.
    const schedule = scheduleOf(cron, 'UTC');
    for (let shown = schedule.nextRun(earliestShown(after, timezone)); shown; shown = schedule.nextRun(shown)) {
      const at = whenShown(shown, timezone);
      if (at > after) return at;
    }
    return undefined;
  } catch (error) {
    throw invalid(
      `is not a valid cron expression: ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read.'}`,
      error,
    );
  }
}

const scheduleOf = (cron: string, timezone: string) => new Cron(cron, { mode: '5-part', timezone, paused: true });

/** @throws DomainError invalid_value */
export function checkTimeZone(name: string): void {
  if (isTimeZone(name)) return;
  throw new DomainError('invalid_value', `"${name}" is not an IANA time zone, such as Europe/Berlin.`, { param: 'repeating_timezone' });
}

/** A time zone has no meaning for a post that does not repeat. */
export const zoneAlone = () =>
  new DomainError('invalid_request', 'repeating_timezone requires repeating_cron, which this post does not have.', {
    param: 'repeating_timezone',
  });

const invalid = (detail: string, cause?: unknown) =>
  new DomainError('invalid_value', `repeating_cron ${detail}`, { param: 'repeating_cron', cause });
