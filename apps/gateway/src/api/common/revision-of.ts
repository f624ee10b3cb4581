import { createHash } from 'node:crypto';

/** A revision for a response from several documents: a number that changes when the response changes. */
export function revisionOf(body: object): number {
  return createHash('sha256').update(JSON.stringify(body)).digest().readUIntBE(0, 6);
}
