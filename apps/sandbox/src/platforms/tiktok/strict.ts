import type { z } from 'zod';
import { invalidParams } from './errors.ts';

/** Unknown or malformed input is rejected with the first problem. */
export function strict<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys : [])].join('.');
  throw invalidParams(`${where || 'The request body'}: ${issue?.message ?? 'is invalid'}`);
}
