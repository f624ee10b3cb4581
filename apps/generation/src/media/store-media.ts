import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import type { StoredMedia } from './stored-media.ts';
import type { NewMedia } from './library-bytes.ts';
import { noteUploads } from './store/uploads.ts';

type Parts = Pick<Context, 'config' | 'db' | 'libraryBytes'>;

/**
 * Stores media files and a row of each in `uploads`. The transaction that uses the files must delete the rows (`keepUploads`). Otherwise the files are deleted
 * after some hours.
 */
export async function storeAllMedia(
  { config, db, libraryBytes }: Parts,
  all: readonly NewMedia[],
  metadata: CallMetadata,
  signal?: AbortSignal,
): Promise<StoredMedia[]> {
  const ids = all.map(({ id }) => id);
  await noteUploads(db, metadata, ids, config.uploads.keptMs);
  return Promise.all(all.map((media) => libraryBytes.put(media, metadata, signal)));
}

/** As `storeAllMedia`, for one file. */
export async function storeMedia(
  { config, db, libraryBytes }: Parts,
  media: NewMedia,
  metadata: CallMetadata,
  signal?: AbortSignal,
): Promise<StoredMedia> {
  await noteUploads(db, metadata, [media.id], config.uploads.keptMs);
  return libraryBytes.put(media, metadata, signal);
}
