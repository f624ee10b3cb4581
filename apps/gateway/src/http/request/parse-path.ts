import { DomainError } from '@fanfare/errors';
import { isUuid } from '@fanfare/runtime';
import type { Shape } from '../route.ts';

/** Ids that have to be UUIDs. All others are opaque: one that matches nothing, whatever its shape, is simply not found. */
const UUIDS: ReadonlySet<string> = new Set(['business_id', 'integration_id', 'topic_id', 'file_id', 'folder_id', 'job_id']);

/** @throws DomainError invalid_value that names the id */
export function parsePath(shape: Shape): (given: Readonly<Record<string, unknown>>) => Record<string, string> {
  const names = Object.keys(shape);
  return (given) =>
    Object.fromEntries(names.map((name) => [name, UUIDS.has(name) ? parseUuid(name, String(given[name])) : String(given[name])]));
}

/** Any case is accepted (RFC 9562, 4); lower case is stored. */
export function parseUuid(param: string, text: string): string {
  if (!isUuid(text)) throw new DomainError('invalid_value', `${param} is not a UUID.`, { param });
  return text.toLowerCase();
}
