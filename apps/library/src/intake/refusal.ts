import { DomainError } from '@fanfare/errors';
import { FetchRefused } from '@fanfare/guarded-http';
import { MediaRefused } from '@fanfare/media-tools';
import { mediaRefused } from '../metrics.ts';

/**
 * Says what is wrong with what the caller gave, naming the parameter that it was given in; other errors stay as they are.
 * @param instead what the caller can do about one that is too large or too slow for this request
 */
export function refusal(error: unknown, param: string, instead = ''): unknown {
  if (error instanceof FetchRefused) {
    mediaRefused(error.reason);
    return new DomainError('invalid_value', error.message + (TOO_MUCH.has(error.reason) ? instead : ''), { param, cause: error });
  }
  if (error instanceof MediaRefused) {
    mediaRefused('not_media');
    return new DomainError('invalid_value', error.message, { param, cause: error });
  }
  return error;
}

const TOO_MUCH: ReadonlySet<string> = new Set(['too_large', 'too_slow', 'timeout']);
