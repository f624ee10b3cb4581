import { DomainError } from '@fanfare/errors';
import { Cron } from 'croner';

/** What the classic five fields are made of: no seconds, no years, no nicknames such as @daily, no L, W or #. */
const VALUE = '(?:\\d{1,2}|[a-z]{3})';
const ITEM = `(?:\\*|${VALUE}(?:-${VALUE})?)(?:/\\d{1,2})?`;
const FIELD = new RegExp(`^${ITEM}(?:,${ITEM})*$`, 'i');
const NUMERIC = /^[\d*/,-]+$/;
/** Of the five, the month and the day of the week may be written as names. */
const NAMED = new Set([3, 4]);

/**
 * Reads a cron expression: minute, hour, day of month, month, day of week, in UTC. Days match by either field when both are restricted, as in
 * POSIX crontab.
 * @returns the expression with single spaces
 * @throws DomainError invalid_value `repeating_cron`, also when it never comes true
 */
export function parseRepeatingCron(text: string, now: Date): string {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) throw invalid('must have exactly five fields: minute, hour, day of month, month and day of week.');
  const wrong = fields.findIndex((field, index) => !FIELD.test(field) || !(NAMED.has(index) || NUMERIC.test(field)));
  if (wrong !== -1) throw invalid(`has a field that standard cron does not know: "${fields[wrong]}".`);
  const cron = fields.join(' ');
  if (!nextTime(cron, now)) throw invalid('never comes true.');
  return cron;
}

/** When it comes true next, strictly after `after`; undefined when it never does. */
export function nextTime(cron: string, after: Date): Date | undefined {
  try {
    return new Cron(cron, { mode: '5-part', timezone: 'UTC', paused: true }).nextRun(after) ?? undefined;
  } catch (error) {
    throw invalid(
      `is no cron expression: ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read.'}`,
      error,
    );
  }
}

const invalid = (detail: string, cause?: unknown) =>
  new DomainError('invalid_value', `repeating_cron ${detail}`, { param: 'repeating_cron', cause });
