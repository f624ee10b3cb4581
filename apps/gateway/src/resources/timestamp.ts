import { z } from 'zod';

/** As answers write times: ISO 8601, UTC, milliseconds. */
export const timestamp = () => z.string().meta({ format: 'date-time', example: '2026-08-06T09:30:00.000Z' });

/** As callers may write them: ISO 8601; without an offset it is UTC. */
export const timestampInput = () =>
  z.iso
    .datetime({ offset: true, local: true, error: 'must be an ISO 8601 date and time' })
    .transform((value) => new Date(/(?:Z|[+-]\d{2}:\d{2})$/.test(value) ? value : `${value}Z`))
    .meta({ example: '2026-08-06T09:30:00Z' });

/** @throws Error when a message lacks a time that its contract promises */
export function isoTime(time: Date | undefined): string {
  if (!time) throw new Error('A message lacks a time that it has to have.');
  return time.toISOString();
}
