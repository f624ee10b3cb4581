import { DomainError } from '@fanfare/errors';
import { isUuid } from '@fanfare/runtime';
import { z } from 'zod';
import type { Shape } from '../route.ts';

/**
 * Reads the ids in a path. An id declared as a UUID must be one. All others are opaque: an id that matches nothing is not found, whatever its form.
 * @throws DomainError invalid_value that names the id
 */
export function parsePath(shape: Shape): (given: Readonly<Record<string, unknown>>) => Record<string, string> {
  const names = Object.entries(shape).map(([name, schema]) => ({ name, isUuid: schema instanceof z.ZodUUID }));
  return (given) =>
    Object.fromEntries(names.map(({ name, isUuid }) => [name, isUuid ? parseUuid(name, String(given[name])) : String(given[name])]));
}

/** Any case is accepted (RFC 9562, 4); lower case is stored. */
export function parseUuid(param: string, text: string): string {
  if (!isUuid(text)) throw new DomainError('invalid_value', `${param} is not a UUID.`, { param });
  return text.toLowerCase();
}
