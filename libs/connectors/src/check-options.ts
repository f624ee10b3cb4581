import type { z } from 'zod';
import type { ContentFinding } from './check-content.ts';
import type { Options } from './connector.ts';
import { limitsFor, type Limits } from './limits.ts';

/** What a platform says of its options. */
export interface OptionRules {
  readonly options: z.ZodObject;
  readonly limits: Limits;
}

/**
 * Holds what the platform is told beyond the contract's fields (an override's options, over the account's settings) against the platform's own schema, and
 * against what it cannot do without. Each side may fit by itself and contradict the other.
 */
export function checkOptions({ options: schema, limits }: OptionRules, given: Options = {}): ContentFinding[] {
  const { needsOptions = [] } = limitsFor(limits, given);
  const missing = needsOptions.filter((name) => given[name] === undefined);
  const { error } = schema.safeParse(given);
  return [
    ...missing.map((name) => ({
      rule: 'required' as const,
      field: `options.${name}`,
      limit: 1,
      value: 0,
      message: `${name} is required. Set it in the options of this platform's override or in the settings of the account.`,
    })),
    ...(error?.issues ?? []).flatMap(problemsOf).map(({ path, message }) => ({
      rule: 'invalid' as const,
      field: ['options', ...path.map(String)].join('.'),
      limit: '',
      value: '',
      message: `${message}.`,
    })),
  ];
}

/** One for each option that does not exist: the caller looks for it where it stands. */
function problemsOf(issue: z.core.$ZodIssue): { readonly path: readonly PropertyKey[]; readonly message: string }[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: `This platform has no option "${key}"` }));
}
