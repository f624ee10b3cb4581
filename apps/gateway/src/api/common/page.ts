import { z } from 'zod';
import { asRequest } from '../../http/request/parse-query.ts';
import { selfLink } from './self-link.ts';

/** A page of a collection. */
export const pageOf = <T extends z.ZodType>(item: T, id: string) =>
  z
    .object({
      self: selfLink(),
      items: z.array(item),
      next: z.string().nullable().meta({ description: 'The `cursor` of the next page; null on the last one.' }),
    })
    .meta({ id });

/** @param fallback the default number of items */
export const limitParam = (fallback: number) =>
  z
    .string({ error: 'must be given once' })
    .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .pipe(z.int().min(1, 'must be at least 1').max(100, 'must be at most 100'))
    .default(fallback)
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: fallback, description: 'The number of items on a page.' });

/** An empty cursor is rejected: if it meant the first page, a careless loop would never end. */
export const cursorParam = (member: 'next' | 'next_cursor' = 'next') =>
  asRequest(
    z
      .string({ error: 'must be given once' })
      .min(1, `must be the ${member} of the previous page`)
      .max(2000, 'is not a cursor of this list')
      .default('')
      .meta({ type: 'string', default: undefined, description: `The \`${member}\` of the previous page, an opaque string.` }),
  );

export const nextOf = (pageToken: string): string | null => (pageToken === '' ? null : pageToken);
