import type { Db } from 'mongodb';
import { posts } from './posts.ts';

/** Finds the posts of a business that may still change by their media. */
export async function createPostMediaIndex(db: Db): Promise<void> {
  await posts(db).createIndex(
    { business_id: 1, media_ids: 1, _id: 1 },
    { name: 'media', partialFilterExpression: { media_ids: { $exists: true } } },
  );
}

/** Derives the media ids of posts that were stored by a version without them. */
export async function noteMediaIds(db: Db): Promise<void> {
  const overrides = {
    $reduce: {
      input: '$platform_overrides',
      initialValue: [],
      in: { $concatArrays: ['$$value', { $ifNull: ['$$this.media.items.id', []] }] },
    },
  };
  const cover = { $cond: [{ $eq: [{ $type: '$cover_media_id' }, 'string'] }, ['$cover_media_id'], []] };
  const ids = { $setUnion: ['$media.id', overrides, cover] };
  await posts(db).updateMany({ status: { $ne: 'POST_STATUS_PUBLISHED' }, deleted_at: { $exists: false }, media_ids: { $exists: false } }, [
    { $set: { media_ids: ids } },
    { $set: { media_ids: { $cond: [{ $eq: ['$media_ids', []] }, '$$REMOVE', '$media_ids'] } } },
  ]);
}

/** Posts that have the media and may still change, in the order of their ids. */
export async function findPostsWithMedia(
  db: Db,
  { businessId, mediaId }: { businessId: string; mediaId: string },
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await posts(db)
    .find({ business_id: businessId, media_ids: mediaId, _id: { $gt: afterId } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return rows.map(({ _id }) => _id);
}
