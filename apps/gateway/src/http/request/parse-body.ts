import type { FieldError } from '@fanfare/errors';
import type { z } from 'zod';
import { ReplayableProblem } from '../idempotency/replayable-problem.ts';
import { issueMessage, issueSentence } from './issue-message.ts';

const MAX_LISTED = 100;
const MAX_PARAM = 200;

/**
 * Reads a JSON body against its schema.
 * @throws ReplayableProblem validation_failed that lists every problem, up to a hundred; missing_field when the only problem is that required fields are
 * absent
 */
export function parseBody(schema: z.ZodType | undefined): (given: unknown) => unknown {
  return (given) => {
    if (!schema) return undefined;
    const parsed = schema.safeParse(given, { reportInput: true, error: issueMessage });
    const dropped = droppedFields(given);
    if (parsed.success && dropped.length === 0) return parsed.data;
    const found = parsed.error?.issues.flatMap(toFieldErrors) ?? [];
    const named = new Set(found.map(({ param }) => param));
    const errors = [...found, ...dropped.map(unknownField).filter(({ param }) => !named.has(param))];
    const misshapen = errors.filter(({ code }) => code !== 'missing_field');
    const first = misshapen[0] ?? errors[0];
    throw new ReplayableProblem(misshapen.length > 0 ? 'validation_failed' : 'missing_field', `${first?.detail}${howMany(errors.length)}`, {
      param: first?.param || undefined,
      errors: errors.slice(0, MAX_LISTED),
    });
  };
}

/** The end of a sentence about the first of several problems. */
export function howMany(count: number): string {
  if (count <= 1) return '';
  if (count <= MAX_LISTED) return ` (${count} problems in all, listed in "errors".)`;
  return ` (${count} problems in all: "errors" lists the first ${MAX_LISTED}.)`;
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownField([...issue.path, key]));
  }
  const param = paramOf(issue.path);
  // JSON has no undefined: a value that is undefined was not sent.
  if (issue.input === undefined) return [{ param, code: 'missing_field', detail: `${param} is required.` }];
  return [{ param, code: 'validation_failed', detail: issueSentence(param === '' ? 'The body' : param, issue.message) }];
}

function unknownField(path: readonly PropertyKey[]): FieldError {
  const param = paramOf(path);
  return { param, code: 'validation_failed', detail: `Unknown field "${param}".` };
}

/**
 * The paths of members called `__proto__`. No schema has one, but objects with arbitrary members (`options`, `settings`) would silently lose it,
 * here or on the way to a service. In metadata the key is allowed like any other. On the top level the schema rejects it.
 */
function droppedFields(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (path.length === 0 && name === 'metadata') return [];
    if (name === '__proto__') return path.length === 0 ? [] : [[...path, name]];
    return typeof member === 'object' ? droppedFields(member, [...path, name]) : [];
  });
}

/** Shortened, because the names in it come from the caller and may be as long as a body. */
function paramOf(path: readonly PropertyKey[]): string {
  const param = path.join('.');
  return param.length > MAX_PARAM ? `${param.slice(0, MAX_PARAM - 1)}…` : param;
}
