import type { Platform, PostStatistics } from '@fanfare/connectors';
import { leasedRows, type LeasedRow } from '@fanfare/leased-work';
import { literals } from '@fanfare/mongo';
import type { ClientSession, Db, Filter } from 'mongodb';
import { KEPT_SECONDS } from '../../kept-days.ts';

/** The statistics of a post at an age. */
export interface SnapshotDocument {
  age_hours: number;
  taken_at: Date;
  numbers: PostStatistics;
}

/** A post on one account: a delivery, with its snapshots. Once it is published, a snapshot is due at each age. */
export interface PostDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  post_id: string;
  integration_id: string;
  platform: Platform;
  /** Of the content that was sent: image, video, album, text, link. Unknown until the event of its publication arrives. */
  media_type?: string;
  metadata?: { key: string; value: string }[];
  /** Set once it is published. */
  publish_id?: string;
  post_url?: string;
  published_at?: Date;
  /** When its next snapshot is due; absent if none is left. */
  snapshot_at?: Date;
  /** The age of that snapshot. */
  next_age?: number;
  attempts?: number;
  /** How often in a row the platform did not find the post. */
  absent?: number;
  /** The latest snapshot; also the last one in `snapshots`. */
  latest?: SnapshotDocument & { age: number; engagements: number | null; engagement_rate: number | null };
  /** Likes, comments, shares and saves after 24 hours. */
  engagements_24h?: number | null;
  snapshots?: SnapshotDocument[];
}

export const posts = (db: Db) => db.collection<PostDocument>('posts');

/** Posts with a due snapshot, longest due first. */
export const postRows = leasedRows<PostDocument>({ of: posts, due: 'snapshot_at', countsAttempts: true, organizationTime: true });

export async function createPostIndexes(db: Db): Promise<void> {
  await posts(db).createIndex({ snapshot_at: 1 }, { partialFilterExpression: { snapshot_at: { $exists: true } } });
  await posts(db).createIndex({ business_id: 1, published_at: -1 });
  await posts(db).createIndex({ integration_id: 1, snapshot_at: 1 });
  await posts(db).createIndex({ post_id: 1 });
  await posts(db).createIndex({ published_at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
}

/** Stores what a publication says about its deliveries. The events of a delivery may arrive earlier or later. */
export async function putRequested(
  db: Db,
  rows: readonly Pick<
    PostDocument,
    '_id' | 'organization_id' | 'business_id' | 'post_id' | 'integration_id' | 'platform' | 'media_type' | 'metadata'
  >[],
  session: ClientSession,
): Promise<void> {
  if (rows.length === 0) return;
  const writes = rows.map(({ _id, ...fields }) => ({ updateOne: { filter: { _id }, update: { $set: fields }, upsert: true } }));
  await posts(db).bulkWrite(writes, { session, ordered: false });
}

/** What a successful delivery says, with the plan of its first snapshot. */
export type PublishedPost = Required<Pick<PostDocument, '_id' | 'published_at' | 'snapshot_at' | 'next_age'>> &
  Pick<PostDocument, 'organization_id' | 'business_id' | 'post_id' | 'integration_id' | 'platform' | 'publish_id' | 'post_url'>;

/** Schedules the snapshots of successful deliveries, unless they are already scheduled. In order: a later event may have the id that an earlier one lacked. */
export async function putPublished(db: Db, published: readonly PublishedPost[], session: ClientSession): Promise<void> {
  const isPlanned = { $ne: [{ $type: '$published_at' }, 'missing'] };
  const once = (name: string, value: unknown) => ({ $cond: [isPlanned, `$${name}`, value] });
  const writes = published.map(({ _id, snapshot_at, next_age, ...rest }) => {
    const plan = {
      snapshot_at: once('snapshot_at', snapshot_at),
      next_age: once('next_age', next_age),
      attempts: once('attempts', 0),
    };
    return { updateOne: { filter: { _id }, update: [{ $set: { ...literals(rest), ...plan } }], upsert: true } };
  });
  await posts(db).bulkWrite(writes, { session });
}

/** Other posts of the same account with due snapshots, so that one call to the platform reads all of them. */
export async function dueBeside(db: Db, { _id, integration_id }: PostDocument, most: number): Promise<string[]> {
  const where: Filter<PostDocument> = {
    integration_id,
    _id: { $ne: _id },
    $expr: { $lte: ['$snapshot_at', '$$NOW'] },
    snapshot_at: { $exists: true },
  };
  const found = await posts(db)
    .find(where, { projection: { _id: 1 } })
    .sort({ snapshot_at: 1 })
    .limit(most)
    .toArray();
  return found.map((one) => one._id);
}

/** A post on the accounts that it was sent to, as far as stored. */
export const findDeliveries = (db: Db, scope: { organizationId: string; businessId: string }, postId: string): Promise<PostDocument[]> =>
  posts(db).find({ post_id: postId, organization_id: scope.organizationId, business_id: scope.businessId }).toArray();

export const countDuePosts = (db: Db): Promise<number> =>
  posts(db).countDocuments({ snapshot_at: { $exists: true }, $expr: { $lte: ['$snapshot_at', '$$NOW'] } });

export async function postLagMs(db: Db): Promise<number> {
  const nextInMs = await postRows.nextInMs(db);
  return Math.max(0, -(nextInMs ?? 0));
}
