import type { z } from 'zod';
import { invalidRequest } from './errors.ts';

/** X's schemas have additionalProperties: false; each problem is one message with its path. */
export function strict<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    ...parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(
            (key) =>
              `$.${[...issue.path, key].join('.')}: is not defined in the schema and the schema does not allow additional properties`,
          )
        : [`$.${issue.path.join('.')}: ${issue.message}`],
    ),
  );
}
