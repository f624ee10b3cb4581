import type { z } from 'zod';
import { unprocessable } from './errors.ts';

/** Rest.li validates every field; the first problem is reported with its path. */
export function strict<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = `/${[...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])].join('/')}`;
  if (issue?.code === 'unrecognized_keys') throw unprocessable(`ERROR :: ${path} :: unrecognized field found but not allowed`);
  const missing = issue?.code === 'invalid_type' && issue.message.includes('received undefined');
  throw unprocessable(
    `ERROR :: ${path} :: ${missing ? 'field is required but not found and has no default value' : (issue?.message ?? 'is not valid')}`,
  );
}
