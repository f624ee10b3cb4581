import { z } from 'zod';
import { asRequest } from '../../http/request/parse-query.ts';

/** Only limits the length. The analytics service checks the format, and the range by the rules of the platform. */
const dayParam = (description: string) =>
  asRequest(
    z
      .string({ error: 'must be given once' })
      .min(1, 'must be a day such as 2026-08-31')
      .max(40, 'must be a day such as 2026-08-31')
      .default('')
      .meta({ type: 'string', format: 'date', default: undefined, description, example: '2026-08-01' }),
  );

/** @param last the default of `end_date`, as text */
export const dayParams = (last: string) => ({
  start_date: dayParam('The first day, as `YYYY-MM-DD`. Default: 29 days before `end_date`, which makes 30 days.'),
  end_date: dayParam(`The last day, as \`YYYY-MM-DD\`. Default: ${last}.`),
});
