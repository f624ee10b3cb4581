import { DomainError } from '@fanfare/errors';
import { FetchError } from '@fanfare/guarded-http';
import { MediaRejected } from '@fanfare/media-tools';
import { mediaRejected } from '../metrics.ts';

/**
 * Says what is wrong with what the caller gave, naming the parameter that it was given in; other errors stay as they are.
 * @param instead what the caller can do about one that is too large or too slow for this request
 */
export function rejection(error: unknown, param: string, instead = ''): unknown {
  if (error instanceof FetchError) {
    mediaRejected(error.reason);
    return new DomainError('invalid_value', error.message + (TOO_MUCH.has(error.reason) ? instead : ''), { param, cause: error });
  }
  if (error instanceof MediaRejected) {
    mediaRejected('not_media');
    return new DomainError('invalid_value', error.message, { param, cause: error });
  }
  return error;
}

const TOO_MUCH: ReadonlySet<string> = new Set(['too_large', 'too_slow', 'timeout']);
