import { reject } from '../google/errors.ts';
import { badParameter } from './errors.ts';

/** The parameter `part`: the requested parts of a resource. Errors are YouTube's own. */
export function partsOf(query: URLSearchParams, known: readonly string[]): string[] {
  const parts = (query.get('part') ?? '').split(',').filter(Boolean);
  if (parts.length === 0) throw badParameter('missingRequiredParameter', 'Required parameter: part', 'part');
  const unknown = parts.find((part) => !known.includes(part));
  if (unknown !== undefined) {
    throw reject(400, 'INVALID_ARGUMENT', `'${unknown}'`, { domain: 'youtube.part', reason: 'unknownPart', location: 'part' });
  }
  return parts;
}
