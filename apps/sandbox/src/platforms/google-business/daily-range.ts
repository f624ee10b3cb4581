import { invalidArgument } from '../google/errors.ts';
import type { GoogleCall } from '../google/google-operation.ts';

const parts = ['year', 'month', 'day'] as const;
const fields = ['daily_range.start_date', 'daily_range.end_date'];

/** `daily_range.end_date.day` in every spelling: each part may have underscores or not. */
function spellingsOf(name: string): string[] {
  const written = name
    .split('.')
    .map((part) => [...new Set([part, part.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())])]);
  return written.reduce((found, part) => found.flatMap((start) => part.map((one) => `${start}.${one}`)));
}

export const rangeParameters = fields.flatMap((field) => parts.flatMap((part) => spellingsOf(`${field}.${part}`)));

/** All values of a parameter, in either spelling. */
export const valuesOf = ({ query }: GoogleCall, name: string): string[] => spellingsOf(name).flatMap((one) => query.getAll(one));

/** First and last day, both included. @throws Rejection */
export function dailyRangeOf(call: GoogleCall): { start: string; end: string } {
  const [start = '', end = ''] = fields.map((field) => dayOf(call, field));
  if (end < start) throw invalidArgument([{ field: 'daily_range', description: 'The end date must not be before the start date.' }]);
  return { start, end };
}

function dayOf(call: GoogleCall, field: string): string {
  const [year = 0, month = 0, day = 0] = parts.map((part) => numberOf(call, `${field}.${part}`));
  const date = new Date(Date.UTC(year, month - 1, day));
  // February 30th would be in March.
  if (year < 1000 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    throw invalidArgument([{ field, description: `${field} must be a date with year, month and day.` }]);
  return date.toISOString().slice(0, 10);
}

function numberOf(call: GoogleCall, field: string): number {
  const [text = '0'] = valuesOf(call, field);
  if (!/^\d{1,4}$/.test(text)) throw invalidArgument([{ field, description: `Invalid value at '${field}' (TYPE_INT32), "${text}"` }]);
  return Number(text);
}
