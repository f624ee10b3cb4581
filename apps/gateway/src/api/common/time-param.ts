import { z } from 'zod';
import { asRequest } from '../../http/request/parse-query.ts';
import { timestampInput } from './timestamp.ts';

/** A time in a query: a day, an ISO 8601 time, or seconds since 1970. A `+` that is not percent-encoded arrives as a space. */
export const timeParam = (description: string) =>
  asRequest(
    z
      .string({ error: 'must be given once' })
      // Not eight digits, a day without hyphens, and not thirteen, which are milliseconds.
      .regex(/^(?!-?\d+$)|^\d{9,11}$/, 'must be an ISO 8601 date or time, or Unix seconds of 9 to 11 digits')
      .transform((text) => {
        if (/^\d+$/.test(text)) return new Date(Number(text) * 1_000).toISOString();
        return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text.replace(' ', '+');
      })
      .pipe(timestampInput())
      .optional()
      .meta({
        type: 'string',
        format: undefined,
        description: `${description} ISO 8601, a day (UTC), or Unix seconds of 9 to 11 digits, from 1973 on.`,
        example: '2026-08-01T00:00:00Z',
      }),
  );
