import { DomainError, notFound } from '@fanfare/errors';
import { atMostHundred } from '../domain/at-most-hundred.ts';
import { scopeOf } from '../domain/scope.ts';
import { findMedia, toMedia } from '../store/media.ts';
import type { Rpc } from './rpc.ts';

const HOUR_SECONDS = 3600;

export const signMediaUrls: Rpc<'signMediaUrls'> =
  ({ db, urls }) =>
  async ({ mediaIds, validForSeconds }, call) => {
    atMostHundred(mediaIds, 'media_ids');
    if (validForSeconds < HOUR_SECONDS || validForSeconds > 7 * 24 * HOUR_SECONDS) {
      throw new DomainError('invalid_value', 'URLs are signed for 1 hour to 7 days.', { param: 'valid_for_seconds' });
    }
    const found = await findMedia(db, scopeOf(call.metadata), mediaIds);
    if (found.length < mediaIds.length) throw notFound('media');
    const expiresAt = new Date(Date.now() + validForSeconds * 1000);
    return { media: found.map((one) => ({ media: toMedia(one, urls), ...urls.expiring(one._id, expiresAt) })) };
  };
