import { EVENT_TYPE_NAMES, optInTypesFitting, typesMatching, type EventTypeName } from '@fanfare/resources';
import { z } from 'zod';
import { asRequest } from '../../http/request/parse-query.ts';

/** What is wrong with a type of events, or a pattern such as `post.*`; undefined if it selects something. */
export function patternProblem(pattern: string): string | undefined {
  if (typesMatching(pattern).length > 0) return undefined;
  const optIn = optInTypesFitting(pattern);
  return optIn.length > 0
    ? `${JSON.stringify(pattern)} selects nothing, because statistics must be named: ${optIn.join(', ')}`
    : `${JSON.stringify(pattern.slice(0, 100))} is no event type, and no pattern such as post.* or *`;
}

/** `*` selects all, which is no filter. */
const types = z
  .string({ error: 'must be given once' })
  .max(2_000)
  .transform((text, context): EventTypeName[] => {
    const patterns = text.split(',').map((pattern) => pattern.trim());
    const problem = patterns.map(patternProblem).find((one) => one !== undefined);
    if (problem === undefined) return patterns.includes('*') ? [] : [...new Set(patterns.flatMap(typesMatching))];
    context.addIssue({
      code: 'custom',
      message: `must be event types, separated by commas: ${problem}; the types are ${EVENT_TYPE_NAMES.join(', ')}`,
    });
    return z.NEVER;
  });

export const typesParam = () =>
  asRequest(
    types.optional().meta({
      type: 'string',
      description: 'Only events of these types, separated by commas. `post.*` selects all types of posts.',
      example: 'post.published,integration.*',
    }),
  );
