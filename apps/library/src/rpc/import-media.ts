import { DomainError } from '@fanfare/errors';
import { isUuid } from '@fanfare/runtime';
import { scopeOf } from '../domain/scope.ts';
import { parseStorageLimits } from '../domain/storage-limits.ts';
import { refusal } from '../intake/refusal.ts';
import { storeMedia } from '../intake/store-media.ts';
import { findMedia, toMedia } from '../store/media.ts';
import type { Rpc } from './rpc.ts';

/** Left of the caller's deadline, for probing and storing what was fetched. */
const STORE_RESERVE_MS = 1_500;

export const importMedia: Rpc<'importMedia'> = (context) => async (request, call) => {
  const { config, db, spool, urls, web } = context;
  const { mediaId: id, url, param } = request;
  const scope = scopeOf(call.metadata);
  if (!isUuid(id)) throw new DomainError('invalid_value', 'The id is not a UUID.', { param: 'media_id' });
  const [first] = await findMedia(db, scope, [id]);
  if (first) return { media: toMedia(first, urls) };
  if (urls.isOurs(url)) throw new DomainError('invalid_value', 'This URL names no media of this business.', { param });

  const remainingMs = call.deadline.getTime() - Date.now() - STORE_RESERVE_MS;
  const timeoutMs = Math.max(1, Math.min(config.fetch.timeoutMs, remainingMs));
  try {
    const stored = await spool.withFile(async (file) => {
      await web.download(url, { toFile: file, maxBytes: config.fetch.maxBytes, timeoutMs, accept: 'image/*, video/*' });
      return storeMedia(context, scope, { id, file, source: url, altText: '', limits: parseStorageLimits(call.metadata.storageLimits) });
    });
    return { media: toMedia(stored, urls) };
  } catch (error) {
    throw refusal(error, param);
  }
};
