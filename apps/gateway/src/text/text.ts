import { wholeText } from '@fanfare/connectors/preflight';
import { isUuid } from '@fanfare/runtime';
import { nameProblem } from './plain-name.ts';

/** Text of at most `max` UTF-16 units. */
export const text = (max: number) => wholeText().max(max);

/** An id of a resource. A UUID in any case is accepted (RFC 9562, 4), and stored in lower case. Other texts match nothing. */
export const ownId = () => text(100).transform((id) => (isUuid(id) ? id.toLowerCase() : id));

/** Text that is not blank. */
export const nonBlank = (max: number) =>
  text(max)
    .min(1)
    .refine((value) => value.trim() !== '', 'must not be blank');

/** The name of a person, organization or business. */
export const displayName = (max: number) =>
  nonBlank(max).superRefine((value, context) => {
    const problem = nameProblem(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** A URL for a link. */
export { webAddress as webUrl } from '@fanfare/connectors/preflight';
