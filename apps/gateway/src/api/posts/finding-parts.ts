import { z } from 'zod';

/** Changes that fix a finding. */
export const jsonPatch = z
  .array(z.object({ op: z.string().meta({ example: 'add' }), path: z.string(), value: z.unknown() }).meta({ id: 'PatchOperation' }))
  .meta({ id: 'JsonPatch' });

/** The `limit` or the `value` of a finding. */
export const scalarMember = z.union([z.number(), z.string()]).nullable();
