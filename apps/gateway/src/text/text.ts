import { wholeText } from '@fanfare/connectors/preflight';
import { isUuid } from '@fanfare/runtime';
import { nameProblem } from './plain-name.ts';

/** Text of at most `max` UTF-16 units. */
export const text = (max: number) => wholeText().max(max);

/** An id that we gave out. Any case of a UUID is accepted (RFC 9562, 4); lower case is stored. What is no UUID matches nothing. */
export const ownId = () => text(100).transform((id) => (isUuid(id) ? id.toLowerCase() : id));

/** Text with something to see in it. */
export const nonBlank = (max: number) =>
  text(max)
    .min(1)
    .refine((value) => value.trim() !== '', 'must not be blank');

/** What people, organizations and businesses are called. */
export const displayName = (max: number) =>
  nonBlank(max).superRefine((value, context) => {
    const problem = nameProblem(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** A clickable destination. */
export { webAddress as webUrl } from '@fanfare/connectors/preflight';
