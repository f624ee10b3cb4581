import { refuse } from '../google/errors.ts';
import { badParameter } from './errors.ts';

/** The parameter `part`: which parts of a resource are meant. Mistakes are refused in YouTube's words. */
export function partsOf(query: URLSearchParams, known: readonly string[]): string[] {
  const parts = (query.get('part') ?? '').split(',').filter(Boolean);
  if (parts.length === 0) throw badParameter('missingRequiredParameter', 'Required parameter: part', 'part');
  const unknown = parts.find((part) => !known.includes(part));
  if (unknown !== undefined) {
    throw refuse(400, 'INVALID_ARGUMENT', `'${unknown}'`, { domain: 'youtube.part', reason: 'unknownPart', location: 'part' });
  }
  return parts;
}
