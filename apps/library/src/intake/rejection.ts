import { DomainError } from '@fanfare/errors';
import { FetchError } from '@fanfare/guarded-http';
import { MediaRejected } from '@fanfare/media-tools';
import { mediaRejected } from '../metrics.ts';

/**
 * Converts errors about the caller's file or URL to a DomainError with `param`. Returns other errors unchanged.
 * @param advice appended for a file that is too large, or a server that is too slow, for this request
 */
export function rejection(error: unknown, param: string, advice = ''): unknown {
  if (error instanceof FetchError) {
    mediaRejected(error.reason);
    return new DomainError('invalid_value', error.message + (NEEDS_ADVICE.has(error.reason) ? advice : ''), { param, cause: error });
  }
  if (error instanceof MediaRejected) {
    mediaRejected('not_media');
    return new DomainError('invalid_value', error.message, { param, cause: error });
  }
  return error;
}

const NEEDS_ADVICE: ReadonlySet<string> = new Set(['too_large', 'too_slow', 'timeout']);
