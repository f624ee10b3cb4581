import { DomainError } from '@fanfare/errors';
import { FetchRefused } from '@fanfare/guarded-http';
import { mediaRefused } from '../metrics.ts';
import { MediaRefused } from '../probing/media-refused.ts';

/** Says what is wrong with what the caller gave, naming the parameter that it was given in; other errors stay as they are. */
export function refusal(error: unknown, param: string): unknown {
  if (error instanceof FetchRefused) {
    mediaRefused(error.reason);
    const background = error.reason === 'too_large' || error.reason === 'timeout';
    const hint = background ? ' Fetch larger or slower files with POST /api/media/from-url and use the media id.' : '';
    return new DomainError('invalid_value', error.message + hint, { param, cause: error });
  }
  if (error instanceof MediaRefused) {
    mediaRefused('not_media');
    return new DomainError('invalid_value', error.message, { param, cause: error });
  }
  return error;
}
