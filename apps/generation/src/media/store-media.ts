import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import type { StoredMedia } from './stored-media.ts';
import type { NewMedia } from './library-bytes.ts';
import { noteUpload } from './store/uploads.ts';

/**
 * Stores a media file and a row in `uploads`. The transaction that uses the file must delete the row (`keepUploads`). Otherwise the file is deleted after
 * some hours.
 */
export async function storeMedia(
  { config, db, libraryBytes }: Pick<Context, 'config' | 'db' | 'libraryBytes'>,
  media: NewMedia,
  metadata: CallMetadata,
  signal?: AbortSignal,
): Promise<StoredMedia> {
  await noteUpload(db, metadata, media.id, config.uploads.keptMs);
  return libraryBytes.put(media, metadata, signal);
}
