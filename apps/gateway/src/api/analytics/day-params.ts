import { z } from 'zod';
import { asRequest } from '../../http/request/parse-query.ts';

/** The analytics service knows which days a platform has numbers of, and says so. */
const dayParam = (description: string) =>
  asRequest(
    z
      .string({ error: 'must be given once' })
      .min(1, 'must be a day such as 2026-08-31')
      .max(40, 'must be a day such as 2026-08-31')
      .default('')
      .meta({ type: 'string', format: 'date', default: undefined, description, example: '2026-08-01' }),
  );

/** @param last what the end is by default */
export const dayParams = (last: string) => ({
  start_date: dayParam('The first day, as `YYYY-MM-DD`. Default: 29 days before `end_date`, which makes 30 days.'),
  end_date: dayParam(`The last day, as \`YYYY-MM-DD\`. Default: ${last}.`),
});
