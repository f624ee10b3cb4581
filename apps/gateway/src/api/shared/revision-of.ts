import { createHash } from 'node:crypto';

/** For what is put together from several documents: a number that changes when the answer does. */
export function revisionOf(body: object): number {
  return createHash('sha256').update(JSON.stringify(body)).digest().readUIntBE(0, 6);
}
