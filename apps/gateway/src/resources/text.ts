import { z } from 'zod';

/** Text of at most `max` UTF-16 units. Half of a surrogate pair is refused: it could not be stored and returned as it came. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'has half of a surrogate pair');

/** A clickable destination. */
export const webUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2048);
