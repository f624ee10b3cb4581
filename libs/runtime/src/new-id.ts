import { createHash, randomFillSync } from 'node:crypto';
import { v7, validate } from 'uuid';
import { currentMs } from './clock.ts';

/** Requesting sixteen random bytes at a time from the system costs ten times as much as the rest of an id. */
const random = new Uint8Array(4096);
let used = random.length;
let msecs = 0;
let seq = 0;

/** A new id: UUID v7, so that ids sort by creation time, also within a millisecond (RFC 9562, 6.2, method 1). */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const bytes = random.subarray(used, (used += 16));
  const now = currentMs();
  if (now > msecs) {
    msecs = now;
    // At most half of the range, so that counting never reaches its end within a millisecond.
    seq = ((bytes[6] ?? 0) << 23) | ((bytes[7] ?? 0) << 16) | ((bytes[8] ?? 0) << 8) | (bytes[9] ?? 0);
  } else seq++;
  return v7({ random: bytes, msecs, seq });
}

/**
 * The same id for the same name within an operation: repeating the operation creates no second resource. A UUID v7 like all others, with a digest in
 * place of the random part.
 * @param at the time in it; by default, the operation's own
 */
export function derivedId(operationId: string, name: string, at = timeOf(operationId)): string {
  const random = createHash('sha256').update(`${operationId}:${name}`).digest();
  return v7({ msecs: at.getTime(), random });
}

/** When it was created: a UUID v7 contains that. */
export const timeOf = (id: string): Date => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

export const isUuid = (text: string): boolean => validate(text);
