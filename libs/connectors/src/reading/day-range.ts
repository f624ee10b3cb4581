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
