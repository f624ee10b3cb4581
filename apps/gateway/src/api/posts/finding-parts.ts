import type { PatchOperation } from '@fanfare/contracts/content';
import { z } from 'zod';

/** Changes that fix a finding. */
export const jsonPatch = z
  .array(z.object({ op: z.string().meta({ example: 'add' }), path: z.string(), value: z.unknown() }).meta({ id: 'PatchOperation' }))
  .meta({ id: 'JsonPatch' });

/** The `limit` or the `value` of a finding. */
export const scalarMember = z.union([z.number(), z.string()]).nullable();

export const scalar = (value: unknown): number | string | null => (typeof value === 'number' || typeof value === 'string' ? value : null);

/** Null when there is nothing to change. */
export const patchFromProto = (operations: readonly PatchOperation[]): z.input<typeof jsonPatch> | null =>
  operations.length === 0 ? null : operations.map(({ op, path, value }) => ({ op, path, value: value as unknown }));
