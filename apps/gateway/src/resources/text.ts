import { isUuid } from '@fanfare/runtime';
import { z } from 'zod';

/**
 * Text of at most `max` UTF-16 units. Half of a surrogate pair is refused: it could not be stored and returned as it came. So is NUL, which no
 * platform publishes.
 */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'has half of a surrogate pair')
    .refine((value) => !value.includes('\0'), 'has a NUL character');

/** An id that we gave out. Any case of a UUID is accepted (RFC 9562, 4); lower case is stored. What is no UUID matches nothing. */
export const ownId = () => text(100).transform((id) => (isUuid(id) ? id.toLowerCase() : id));

/** Text with something to see in it. */
export const nonBlank = (max: number) =>
  text(max)
    .min(1)
    .refine((value) => value.trim() !== '', 'must not be blank');

/** A clickable destination. */
export const webUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2048);
