import type { z } from 'zod';
import type { Call } from '../../wire/call.ts';
import { invalidRequest } from './errors.ts';

/** The JSON body, validated against the API description; the first problem is reported like a schema validator. */
export function strictBody<Schema extends z.ZodType>(schema: Schema, { body }: Call): z.output<Schema> {
  if (body.kind !== 'json') throw invalidRequest('the body must be application/json');
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw invalidRequest(`Additional properties are not allowed ('${[...issue.path, issue.keys[0]].join('.')}' was unexpected)`);
  }
  const where = issue?.path.join('.') ?? '';
  throw invalidRequest(where === '' ? (issue?.message ?? 'unreadable') : `'${where}': ${issue?.message}`);
}
