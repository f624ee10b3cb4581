import { DomainError, type FieldError } from '@fanfare/errors';
import type { z } from 'zod';
import { issueMessage, issueSentence } from './issue-message.ts';

/**
 * Reads a JSON body against its schema.
 * @throws DomainError validation_failed that lists every problem; missing_field when nothing is wrong but that required fields are absent
 */
export function parseBody(schema: z.ZodType | undefined): (given: unknown) => unknown {
  return (given) => {
    const parsed = schema?.safeParse(given, { reportInput: true, error: issueMessage });
    if (!parsed || parsed.success) return parsed?.data;
    const errors = parsed.error.issues.flatMap(toFieldErrors);
    const misshapen = errors.filter(({ code }) => code !== 'missing_field');
    const first = misshapen[0] ?? errors[0];
    const more = errors.length > 1 ? ` (${errors.length} problems in all, listed in "errors".)` : '';
    throw new DomainError(misshapen.length > 0 ? 'validation_failed' : 'missing_field', `${first?.detail}${more}`, {
      param: first?.param || undefined,
      errors,
    });
  };
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const param = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      param: join(param, key),
      code: 'validation_failed',
      detail: `There is no field "${join(param, key)}".`,
    }));
  }
  // JSON has no undefined: a value that is undefined was not sent.
  if (issue.input === undefined) return [{ param, code: 'missing_field', detail: `${param} is required.` }];
  return [{ param, code: 'validation_failed', detail: issueSentence(param === '' ? 'The body' : param, issue.message) }];
}

const join = (param: string, key: string) => (param === '' ? key : `${param}.${key}`);
