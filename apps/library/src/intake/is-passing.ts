import { DomainError } from '@fanfare/errors';
import { FetchError } from '@fanfare/guarded-http';
import { MediaRejected } from '@fanfare/media-tools';

/** Private addresses are retried like unknown names, so that the time until the failure does not reveal which names exist in our network. */
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

/** Whether a retry may succeed: after errors of the network or the server, and internal errors. */
export function isPassing(error: unknown): boolean {
  if (error instanceof FetchError) return PASSING.has(error.reason) || error.reason.startsWith('status_5');
  return !(error instanceof MediaRejected) && !(error instanceof DomainError && error.code !== 'internal_error');
}
