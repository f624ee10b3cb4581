import { z } from 'zod';

/** Zod has checked the format: of weeks, or of the others, and at least one. */
const PARTS = /^P(?:(\d+)W)?(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/;

/** A period of time in a request, such as P1Y, P1M, P2W, P3D or PT90M. */
export const durationInput = () =>
  z.iso
    .duration({ error: 'must be an ISO 8601 duration, such as P1D, P2W, P1M or PT90M' })
    .max(64)
    .transform(parse)
    .meta({ type: 'string', format: 'duration', example: 'P1D' });

/** Calendar months, and milliseconds after them. */
export interface Duration {
  readonly months: number;
  readonly ms: number;
}

function parse(text: string): Duration {
  const [, weeks, years, months, days, hours, minutes, seconds] = (PARTS.exec(text) ?? []).map((part) =>
    Number((part ?? '0').replace(',', '.')),
  );
  const inHours = ((weeks ?? 0) * 7 + (days ?? 0)) * 24 + (hours ?? 0);
  return { months: (years ?? 0) * 12 + (months ?? 0), ms: Math.round(((inHours * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1_000) };
}

/** The end of a duration, in UTC. A month after January 31 is the last day of February. An invalid date if it is too far away for a date. */
export function endOf(from: Date, { months, ms }: Duration): Date {
  const moved = new Date(from);
  moved.setUTCMonth(from.getUTCMonth() + months);
  // A day that the month does not have is in the next month.
  if (moved.getUTCDate() !== from.getUTCDate()) moved.setUTCDate(0);
  return new Date(moved.getTime() + ms);
}
