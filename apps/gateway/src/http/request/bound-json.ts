import { DomainError } from '@fanfare/errors';

/**
 * More than the largest body that a schema takes: a post with fifty overrides of fifty media each, and two hundred pairs of metadata, has some
 * 3,300.
 */
const MAX_VALUES = 5_000;
/** Below the body itself. Far deeper than any schema. */
const MAX_DEPTH = 32;

/**
 * Bounds what everything that reads the body after this has to do: to hash, upgrade and validate it, and to say what is wrong with it.
 * @throws DomainError validation_failed
 */
export function boundJson(body: unknown): void {
  let left = MAX_VALUES;
  let level = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new DomainError('validation_failed', `The body nests deeper than ${MAX_DEPTH} levels.`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
      left -= inner.length;
      if (left < 0) throw new DomainError('validation_failed', `The body has more than ${MAX_VALUES} members and elements in all.`);
      for (const item of inner) next.push(item);
    }
    level = next;
  }
}
