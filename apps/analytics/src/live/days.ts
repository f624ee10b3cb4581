import { daysAfter, daysIn, type DayRange, type ReadingRules } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { KEPT_DAYS } from '../kept-days.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of a time in a time zone, `YYYY-MM-DD`. */
export function dayIn(time: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(time);
}

/** The length of a range without a start. */
const DEFAULT_DAYS = 30;
/** The longest range that is read from a platform: two years. */
const MOST_DAYS = 731;

interface GivenRange {
  readonly start: string;
  readonly end: string;
}

interface Back {
  readonly days: number;
  readonly why: string;
}

const STORED: Back = { days: KEPT_DAYS, why: 'statistics are kept for 25 months' };

/** How far back a range can start on a platform. */
function backOf({ keptDays }: ReadingRules): Back {
  if (keptDays <= 0)
    return { days: MOST_DAYS, why: `this platform provides only current values, and a range can start at most ${MOST_DAYS} days ago` };
  const days = Math.min(keptDays, MOST_DAYS);
  return { days, why: `statistics are available for the last ${days} days` };
}

/**
 * The range of days that a request covers.
 * @param today in the time zone of the days
 * @param last the default of `end`
 * @param back how far back the range can start, and why; by default as far as statistics are stored
 * @throws DomainError invalid_request
 */
export function rangeOf(given: GivenRange, today: string, last: string, back: Back = STORED): DayRange {
  const end = dayOf(given.end, 'end_date') ?? last;
  const start = dayOf(given.start, 'start_date') ?? daysAfter(end, 1 - DEFAULT_DAYS);
  if (end > today) throw invalid('end_date', `must not be in the future: today is ${today}.`);
  if (start > today) throw invalid('start_date', `must not be in the future: today is ${today}.`);
  if (start > end) throw invalid('start_date', `must not be after end_date, which is ${end}${given.end === '' ? ' by default' : ''}.`);
  const first = daysAfter(today, -back.days);
  if (end < first) throw invalid('end_date', `must be ${first} or later: ${back.why}.`);
  if (start < first) {
    if (given.start === '') return { start: first, end };
    throw invalid('start_date', `must be ${first} or later: ${back.why}.`);
  }
  return { start, end };
}

/** Checks `start`, `end`, `period` and `metrics` against what the platform supports, and fills in defaults. @throws DomainError invalid_request */
export function accountWanted(
  rules: ReadingRules,
  given: GivenRange & { readonly period: string; readonly metrics: readonly string[] },
  today: string,
) {
  const range = rangeOf(given, today, today, backOf(rules));
  const period = rules.periods.find((one) => one === (given.period || rules.periods[0]));
  if (!period) throw invalid('period', `must be one of ${rules.periods.join(', ')} on this platform.`);
  const known = rules.metrics.map(({ name }) => name);
  const unknown = given.metrics.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const possible =
      known.length > 0
        ? `cannot contain ${unknown.slice(0, 40)}: this platform has ${known.join(', ')}`
        : 'is not supported: this platform has no metrics over time';
    throw invalid('metrics', `${possible}.`);
  }
  const repeated = given.metrics.find((name, at) => given.metrics.indexOf(name) !== at);
  if (repeated !== undefined) throw invalid('metrics', `contains ${repeated} twice.`);
  const metrics = given.metrics.length > 0 ? given.metrics : rules.metrics.flatMap(({ name, isOptional }) => (isOptional ? [] : [name]));
  return { ...range, period, metrics };
}

function dayOf(text: string, param: string): string | undefined {
  if (text === '') return undefined;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && daysIn({ start: text, end: text }) === 1;
  if (!isDay || new Date(text).toISOString().slice(0, 10) !== text) throw invalid(param, 'must be a day such as 2026-08-31.');
  return text;
}

const invalid = (param: string, detail: string) => new DomainError('invalid_request', `${param} ${detail}`, { param });
