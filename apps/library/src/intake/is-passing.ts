import { DomainError } from '@fanfare/errors';
import { FetchError } from '@fanfare/guarded-http';
import { MediaRejected } from '@fanfare/media-tools';

/** An address inside is among them: ended at once, it would tell that the name is there, where one that is not is tried again. */
const PASSING: ReadonlySet<string> = new Set([
  'address_not_public',
  'host_not_found',
  'unreachable',
  'incomplete',
  'no_response',
  'timeout',
  'too_slow',
  'status_408',
  'status_425',
  'status_429',
]);

/** Whether another attempt may end differently: the network, a server that is not well, or something of our own. */
export function isPassing(error: unknown): boolean {
  if (error instanceof FetchError) return PASSING.has(error.reason) || error.reason.startsWith('status_5');
  return !(error instanceof MediaRejected) && !(error instanceof DomainError && error.code !== 'internal_error');
}
