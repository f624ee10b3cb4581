import { z } from 'zod';
import { asRequest } from '../../http/request/parse-query.ts';
import { timestampInput } from '../common/timestamp.ts';

/** One end of a window of publish times. A `+` that was not percent-encoded arrives as a space, which no time contains. */
export const windowParam = (description: string) =>
  asRequest(
    z
      .string({ error: 'must be given once' })
      .transform((text) => text.replace(' ', '+'))
      .pipe(timestampInput())
      .optional()
      .meta({ type: 'string', format: 'date-time', description, example: '2030-08-01T00:00:00Z' }),
  );
