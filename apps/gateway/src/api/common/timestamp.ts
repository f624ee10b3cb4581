import { z } from 'zod';

/** A time in a response: ISO 8601, UTC, milliseconds. */
export const timestamp = () => z.string().meta({ format: 'date-time', example: '2026-08-06T09:30:00.000Z' });

/** Date, hour and minute. Seconds, their fraction, the offset, and the offset's colon and minutes are optional. */
const ISO = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)?$/;
const [FIRST_YEAR, LAST_YEAR] = [1900, 2199];

/** A time in a request: ISO 8601; UTC without an offset. @param example for the description, and for errors */
export const timestampInput = (example = '2030-08-06T09:30:00Z') =>
  z
    .string()
    .transform((text, context) => {
      const time = parseTime(text, example);
      if (time instanceof Date) return time;
      context.addIssue({ code: 'custom', message: time, input: text });
      return z.NEVER;
    })
    .meta({ format: 'date-time', description: 'ISO 8601; UTC if it has no offset.', example });

/** Returns the time, or what is wrong with the text. */
function parseTime(text: string, example: string): Date | string {
  const [, date, minutes, seconds = '00', fraction = '', offset, offsetMinutes = '00'] = ISO.exec(text) ?? [];
  if (date === undefined || minutes === undefined) return `must be an ISO 8601 date and time, such as ${example}`;
  const local = `${date}T${minutes}:${seconds}`;
  const written = new Date(`${local}Z`);
  // Date rolls the 30th of February, and 24:00, over into the next day.
  if (Number.isNaN(written.getTime()) || written.toISOString().slice(0, 19) !== local) return 'is not a valid date and time';
  const [hours, minute] = [Math.abs(Number(offset ?? '0')), Number(offsetMinutes)];
  if (hours > 18 || minute > 59) return 'has an invalid offset';
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const shift = (hours * 60 + minute) * (offset?.startsWith('-') ? -60_000 : 60_000);
  const time = new Date(written.getTime() + milliseconds - shift);
  const year = time.getUTCFullYear();
  return year < FIRST_YEAR || year > LAST_YEAR ? `must be between the years ${FIRST_YEAR} and ${LAST_YEAR}` : time;
}
