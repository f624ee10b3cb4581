import type { PatchOperation } from '@fanfare/contracts/content';

/** The `limit` or the `value` of a finding. */
export const scalar = (value: unknown): number | string | null => (typeof value === 'number' || typeof value === 'string' ? value : null);

/** Null when there is nothing to change. */
export const patchFromProto = (operations: readonly PatchOperation[]) =>
  operations.length === 0 ? null : operations.map(({ op, path, value }) => ({ op, path, value: value as unknown }));
