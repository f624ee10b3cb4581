import { createHash, randomFillSync } from 'node:crypto';
import { v7, validate } from 'uuid';
import { currentMs } from './clock.ts';

/** Asking the system for sixteen random bytes at a time costs ten times as much as everything else about an id. */
const random = new Uint8Array(4096);
let used = random.length;
let msecs = 0;
let seq = 0;

/** A new id: UUID v7, so that ids sort by the time they were made; within a millisecond too (RFC 9562, 6.2, method 1). */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const bytes = random.subarray(used, (used += 16));
  const now = currentMs();
  if (now > msecs) {
    msecs = now;
    // Half of the range at most, so that counting on never reaches its end within a millisecond.
    seq = ((bytes[6] ?? 0) << 23) | ((bytes[7] ?? 0) << 16) | ((bytes[8] ?? 0) << 8) | (bytes[9] ?? 0);
  } else seq++;
  return v7({ random: bytes, msecs, seq });
}

/**
 * The same id for the same name within an operation: a repeat of the operation makes no second resource. A UUID v7 as all others: a digest stands
 * for what is random.
 * @param at the time in it; the operation's own unless given
 */
export function derivedId(operationId: string, name: string, at = timeIn(operationId)): string {
  const random = createHash('sha256').update(`${operationId}:${name}`).digest();
  return v7({ msecs: at.getTime(), random });
}

const timeIn = (id: string) => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

export const isUuid = (text: string): boolean => validate(text);
