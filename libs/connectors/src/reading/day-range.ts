import type { DayRange } from './reading.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** The day that is so many days later: `2026-03-01` is one after `2026-02-28`. */
export const daysAfter = (day: string, days: number): string => dayOf(dayNumber(day) + days);

/** How many days a range has. */
export const daysIn = ({ start, end }: DayRange): number => dayNumber(end) - dayNumber(start) + 1;

/** The days of a range, oldest first. */
export const daysOf = (range: DayRange): string[] => Array.from({ length: daysIn(range) }, (_, at) => daysAfter(range.start, at));

/** Cuts a range into parts of at most so many days, oldest first. Together they are the range, and no day is in two of them. */
export function splitDays({ start, end }: DayRange, most: number): DayRange[] {
  const parts: DayRange[] = [];
  for (let from = start; daysIn({ start: from, end }) > 0; from = daysAfter(from, most)) {
    const last = daysAfter(from, most - 1);
    parts.push({ start: from, end: last < end ? last : end });
  }
  return parts;
}

/** A day in a response, `YYYY-MM-DD`; undefined if it is none. */
export const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[12]\d{3}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(dayNumber(value)) ? value : undefined;

const formats = new Map<string, Intl.DateTimeFormat>();

/** What clocks in a time zone show at a time, as if it were UTC, in milliseconds. */
function localMs(time: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) formats.set(timeZone, (format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })));
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`);
}

/** The instant at which a day begins in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = dayNumber(day) * DAY_MS;
  const offsetAt = (time: number) => localMs(time, timeZone) - time;
  // The offset of about the right time first, then that of the exact time: the clocks may change in between.
  return new Date(midnight - offsetAt(midnight - offsetAt(midnight)));
}

/** The instant at which a day ends in a time zone, when the next one begins: the `endTime` of a value of the day. */
export const endOfDay = (day: string, timeZone: string): Date => startOfDay(daysAfter(day, 1), timeZone);
