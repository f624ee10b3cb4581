import type { MetadataEntry, PlatformOverride, Post, PostMedia, PostStatus, PublishResult } from '@fanfare/contracts/content';
import { after, isDuplicateKey, pageOf, parsePageToken } from '@fanfare/mongo';
import type { ClientSession, Db, Filter } from 'mongodb';

/** How publishing goes on one target, with what only we need to know. */
export interface ResultDocument extends PublishResult {
  /** The newest revision of the delivery that was taken in. */
  revision: number;
  /** When the publication was due; the lag counts from here. */
  dueAt: Date;
}

export interface PostDocument {
  _id: string;
  organization_id: string;
  business_id: string;
  created_at: Date;
  updated_at: Date;
  revision: number;
  caption: string;
  status: PostStatus;
  /** The review verdict, which the post goes back to when it is no longer scheduled or when every target failed. */
  verdict: PostStatus;
  media: PostMedia[];
  design_id?: string;
  cover_media_id?: string;
  video_cover_timestamp_ms?: number;
  link?: string;
  restrict_publish_to: string[];
  restrict_publish_to_integration_ids: string[];
  scheduled_publish_time?: Date;
  /** Present from the moment it is scheduled until it is claimed. */
  next_due_at?: Date;
  published_at?: Date;
  /** Pairs, because any string may be a key: `$a`, `a.b` and the empty one too. */
  metadata: MetadataEntry[];
  platform_overrides: PlatformOverride[];
  publish_results: ResultDocument[];
  /** Publications of this post, newest last: a repeat of a publish call finds itself here. */
  publication_ids: string[];
}

const SCHEDULED: PostStatus = 'POST_STATUS_SCHEDULED';
const posts = (db: Db) => db.collection<PostDocument>('posts');

export async function createPostIndexes(db: Db): Promise<void> {
  await posts(db).createIndex({ business_id: 1, created_at: -1, _id: -1 });
  await posts(db).createIndex({ business_id: 1, status: 1, created_at: -1, _id: -1 });
  await posts(db).createIndex({ next_due_at: 1, organization_id: 1 }, { name: 'due', partialFilterExpression: { status: SCHEDULED } });
}

/** Fails with a duplicate key when a post with that id is there already; see `isPostThere`. */
export async function insertPost(db: Db, document: PostDocument, session: ClientSession): Promise<void> {
  await posts(db).insertOne(document, { session });
}

/** Whether inserting failed because a post with that id is there already. */
export const isPostThere = (error: unknown): boolean => isDuplicateKey(error, '_id');

export async function findPost(
  db: Db,
  scope: { organizationId: string; businessId: string },
  id: string,
  session?: ClientSession,
): Promise<PostDocument | null> {
  return posts(db).findOne({ _id: id, business_id: scope.businessId, organization_id: scope.organizationId }, session ? { session } : {});
}

/** For events, which name the post and nothing else. */
export async function findPostById(db: Db, id: string, session: ClientSession): Promise<PostDocument | null> {
  return posts(db).findOne({ _id: id }, { session });
}

/** Replaces a post, if it is still the one that was read: its revision decides. */
export async function replacePost(db: Db, before: PostDocument, document: PostDocument, session: ClientSession): Promise<void> {
  const { _id, ...rest } = document;
  const { matchedCount } = await posts(db).replaceOne({ _id, revision: before.revision }, rest, { session });
  if (matchedCount === 0) throw new Error(`Post ${_id} is no longer at revision ${before.revision}.`);
}

export async function listPosts(
  db: Db,
  query: { organizationId: string; businessId: string; statuses: readonly PostStatus[]; pageSize: number; pageToken: string },
): Promise<{ rows: readonly PostDocument[]; nextPageToken: string }> {
  const { organizationId, businessId, statuses, pageSize, pageToken } = query;
  const binding = ['posts', businessId, [...statuses].sort()];
  const rows = await posts(db)
    .find({
      business_id: businessId,
      organization_id: organizationId,
      ...(statuses.length === 0 ? {} : { status: { $in: [...statuses] } }),
      ...after(parsePageToken(pageToken, binding)),
    })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

/** What a claim needs to know of a post whose time has come. */
export type DuePost = Pick<PostDocument, '_id' | 'organization_id' | 'business_id' | 'next_due_at'>;

/** Posts whose time has come by the database's clock, the longest due first. */
export async function findDuePosts(db: Db, exceptOrganizations: readonly string[], limit: number): Promise<DuePost[]> {
  return posts(db)
    .find(
      {
        ...WAITS,
        ...(exceptOrganizations.length === 0 ? {} : { organization_id: { $nin: [...exceptOrganizations] } }),
        $expr: { $lte: ['$next_due_at', '$$NOW'] },
      },
      { projection: { organization_id: 1, business_id: 1, next_due_at: 1 } },
    )
    .sort({ next_due_at: 1 })
    .limit(limit)
    .toArray();
}

/** When the next post is due, whether that time has come or not. */
export async function findNextDueAt(db: Db): Promise<Date | undefined> {
  const next = await posts(db)
    .find(WAITS, { projection: { next_due_at: 1 } })
    .sort({ next_due_at: 1 })
    .limit(1)
    .next();
  return next?.next_due_at;
}

/** Claimed posts have no `next_due_at`; comparing with a date leaves them out of the index range. */
const WAITS: Filter<PostDocument> = { status: SCHEDULED, next_due_at: { $gt: new Date(0) } };

export function toPost(document: PostDocument): Post {
  return {
    id: document._id,
    businessId: document.business_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    revision: document.revision,
    caption: document.caption,
    status: document.status,
    media: document.media,
    designId: document.design_id,
    coverMediaId: document.cover_media_id,
    videoCoverTimestampMs: document.video_cover_timestamp_ms,
    link: document.link,
    restrictPublishTo: document.restrict_publish_to,
    restrictPublishToIntegrationIds: document.restrict_publish_to_integration_ids,
    scheduledPublishTime: document.scheduled_publish_time,
    publishedAt: document.published_at,
    metadata: document.metadata,
    platformOverrides: document.platform_overrides,
    publishResults: document.publish_results,
  };
}
