import type { z } from 'zod';
import type { ContentFinding } from './check-content.ts';
import type { Options } from '../connector.ts';
import { limitsFor, type Limits } from '../limits.ts';

/** A platform's rules about its options. */
export interface OptionRules {
  readonly options: z.ZodObject;
  readonly limits: Limits;
}

/**
 * Checks the platform's options (those of the override, over the account's settings) against its schema and
 * its required options. Override and settings may be valid by themselves and contradict each other.
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

/** One finding for each unknown option, so that each is reported at its own path. */
function problemsOf(issue: z.core.$ZodIssue): { readonly path: readonly PropertyKey[]; readonly message: string }[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: `This platform has no option "${key}"` }));
}
