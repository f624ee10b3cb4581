import { atMostHundred } from '../media/domain/at-most-hundred.ts';
import { scopeOf } from '../scope.ts';
import { findMedia, toMedia } from '../media/store/media.ts';
import type { Rpc } from './rpc.ts';

export const batchGetMedia: Rpc<'batchGetMedia'> =
  ({ db, urls }) =>
  async ({ mediaIds }, call) => {
    atMostHundred(mediaIds, 'media_ids');
    const found = await findMedia(db, scopeOf(call.metadata), mediaIds);
    return { media: found.map((one) => toMedia(one, urls)) };
  };
