import { topics } from '@fanfare/contracts';
import type { AccountStats } from '@fanfare/contracts/analytics';
import { appendToOutbox } from '@fanfare/events';
import type { ClientSession, Db } from 'mongodb';
import type { AccountDocument } from './accounts/store/accounts.ts';
import { postStatsFrom } from './live/to-proto.ts';
import type { PostDocument, SnapshotDocument } from './posts/store/posts.ts';

const SOURCE = 'analytics';

export async function emitPostSnapshot(db: Db, session: ClientSession, post: PostDocument, snapshot: SnapshotDocument): Promise<void> {
  const { _id, organization_id, business_id } = post;
  const emission = {
    subject: _id,
    revision: snapshot.age_hours,
    organizationId: organization_id,
    businessId: business_id,
    flowId: `snapshot-${_id}-${snapshot.age_hours}`,
  };
  await appendToOutbox(db, session, SOURCE, topics.postSnapshotTaken, emission, {
    deliveryId: _id,
    postId: post.post_id,
    organizationId: organization_id,
    businessId: business_id,
    integrationId: post.integration_id,
    platform: post.platform,
    publishId: post.publish_id ?? '',
    snapshot: { ageHours: snapshot.age_hours, stats: postStatsFrom(snapshot.numbers, snapshot.taken_at) },
  });
}

export async function emitAccountSnapshot(
  db: Db,
  session: ClientSession,
  account: AccountDocument,
  day: string,
  stats: AccountStats,
  takenAt: Date,
): Promise<void> {
  const { _id, organization_id, business_id, platform } = account;
  const emission = {
    subject: _id,
    // Days grow.
    revision: Number(day.replaceAll('-', '')),
    organizationId: organization_id,
    businessId: business_id,
    flowId: `snapshot-${_id}-${day}`,
  };
  const data = { integrationId: _id, organizationId: organization_id, businessId: business_id, platform, day, stats, takenAt };
  await appendToOutbox(db, session, SOURCE, topics.accountSnapshotTaken, emission, data);
}
