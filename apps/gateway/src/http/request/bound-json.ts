import { DomainError } from '@fanfare/errors';

/**
 * More than the largest body that a schema accepts: a post with fifty overrides of fifty media each, and two hundred pairs of metadata, has about
 * 3,300.
 */
const MAX_VALUES = 5_000;
/** Levels below the body itself. Far deeper than any schema. */
const MAX_DEPTH = 32;

/**
 * Limits the size of a body, so that hashing, upgrading and validating it, and listing its problems, stay cheap.
 * @throws DomainError validation_failed
 */
export function boundJson(body: unknown): void {
  let left = MAX_VALUES;
  let level = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new DomainError('validation_failed', `The body is nested more than ${MAX_DEPTH} levels deep.`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
      left -= inner.length;
      if (left < 0) throw new DomainError('validation_failed', `The body has more than ${MAX_VALUES} members and elements in total.`);
      for (const item of inner) next.push(item);
    }
    level = next;
  }
}
