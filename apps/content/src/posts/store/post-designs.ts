import type { Db } from 'mongodb';
import { posts } from './posts.ts';

export async function createPostDesignIndex(db: Db): Promise<void> {
  await posts(db).createIndex(
    { business_id: 1, design_id: 1, _id: 1 },
    { name: 'design', partialFilterExpression: { design_id: { $exists: true } } },
  );
}

/** Posts that take their media from a design, in the order of their ids. */
export async function findPostsOfDesign(
  db: Db,
  { businessId, designId }: { businessId: string; designId: string },
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await posts(db)
    .find({ business_id: businessId, design_id: designId, _id: { $gt: afterId } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return rows.map(({ _id }) => _id);
}

/** Those of the media that a post of the design has. */
export async function findShownMediaIds(
  db: Db,
  { organizationId, businessId }: { organizationId: string; businessId: string },
  designId: string,
  mediaIds: readonly string[],
): Promise<string[]> {
  const shown = { business_id: businessId, organization_id: organizationId, design_id: designId, deleted_at: { $exists: false } };
  const found = await Promise.all(
    mediaIds.map(async (id) => ((await posts(db).countDocuments({ ...shown, 'media.id': id }, { limit: 1 })) > 0 ? [id] : [])),
  );
  return found.flat();
}
