import { DomainError } from '@fanfare/errors';
import { z } from 'zod';
import type { Shape } from '../route.ts';
import { issueMessage, issueSentence } from './issue-message.ts';

const requests = new WeakSet<object>();

/** Marks a query parameter, such as a cursor, whose bad value is an invalid_request; for other parameters it is an invalid_value. */
export function asRequest<S extends z.ZodType>(schema: S): S {
  requests.add(schema);
  return schema;
}

/** The names of the parameters marked with `asRequest`. */
export const requestParams = (shape: Shape): string[] => Object.keys(shape).filter((name) => requests.has(shape[name] as object));

/**
 * Reads a query string.
 * @throws DomainError validation_failed for unknown parameters, invalid_value or invalid_request for bad values
 */
export function parseQuery(shape: Shape, { any = false } = {}): (given: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  const schema = z.object(shape);
  const known = new Set(Object.keys(shape));
  const asRequests = new Set(requestParams(shape));
  return (given) => {
    if (!any) rejectUnknown(Object.keys(given).filter((name) => !known.has(name)));
    const parsed = schema.safeParse(given, { error: issueMessage });
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const param = String(issue?.path[0]);
    const code = asRequests.has(param) ? 'invalid_request' : 'invalid_value';
    throw new DomainError(code, issueSentence(param, issue?.message ?? 'is not valid'), { param });
  };
}

function rejectUnknown(names: readonly string[]): void {
  if (names.length === 0) return;
  const errors = names.map((param) => ({ param, code: 'validation_failed' as const, detail: `Unknown query parameter "${param}".` }));
  const listed = names.map((name) => `"${name}"`).join(', ');
  const which = names.length === 1 ? 'parameter' : 'parameters';
  throw new DomainError('validation_failed', `Unknown query ${which}: ${listed}.`, { param: names[0], errors });
}
