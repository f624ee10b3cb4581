import { createHash } from 'node:crypto';

/** A number between 0 and 1, always the same for an id: spreads work that would otherwise be due at once. */
export const positionOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
