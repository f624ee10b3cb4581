import { notFound } from '@fanfare/errors';
import { signUrls } from '../derivatives/sign-urls.ts';
import { atMostHundred } from '../media/domain/at-most-hundred.ts';
import { expiryIn } from '../media/domain/expiry-in.ts';
import { findMedia } from '../media/store/media.ts';
import { scopeOf } from '../scope.ts';
import type { Rpc } from './rpc.ts';

export const signMediaUrls: Rpc<'signMediaUrls'> =
  (context) =>
  async ({ mediaIds, validForSeconds }, call) => {
    atMostHundred(mediaIds, 'media_ids');
    const expiresAt = expiryIn(validForSeconds);
    const found = await findMedia(context.db, scopeOf(call.metadata), mediaIds);
    if (found.length < mediaIds.length) throw notFound('media');
    return { media: await Promise.all(found.map((one) => signUrls(context, one, expiresAt, call.deadline))) };
  };
