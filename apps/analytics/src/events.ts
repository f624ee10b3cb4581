import { topics } from '@fanfare/contracts';
import type { AccountStats } from '@fanfare/contracts/analytics';
import type { PostSnapshotTaken } from '@fanfare/contracts/analytics/events';
import { appendAllToOutbox, appendToOutbox, type Emission } from '@fanfare/events';
import type { ClientSession, Db } from 'mongodb';
import type { AccountDocument } from './accounts/account.ts';
import { postStatsFrom } from './live/to-proto.ts';
import type { PostDocument, SnapshotDocument } from './posts/store/posts.ts';

const SOURCE = 'analytics';

export async function emitPostSnapshots(
  db: Db,
  session: ClientSession,
  taken: readonly { readonly post: PostDocument; readonly snapshot: SnapshotDocument }[],
): Promise<void> {
  if (taken.length === 0) return;
  const events = taken.map(({ post, snapshot }) => ({ emission: emissionOf(post, snapshot), data: dataOf(post, snapshot) }));
  await appendAllToOutbox(db, session, SOURCE, topics.postSnapshotTaken, events);
}

const emissionOf = ({ _id, organization_id, business_id }: PostDocument, { age_hours }: SnapshotDocument): Emission => ({
  subject: _id,
  revision: age_hours,
  organizationId: organization_id,
  businessId: business_id,
  flowId: `snapshot-${_id}-${age_hours}`,
});

const dataOf = (post: PostDocument, snapshot: SnapshotDocument): PostSnapshotTaken => ({
  deliveryId: post._id,
  postId: post.post_id,
  organizationId: post.organization_id,
  businessId: post.business_id,
  integrationId: post.integration_id,
  platform: post.platform,
  publishId: post.publish_id ?? '',
  snapshot: { ageHours: snapshot.age_hours, stats: postStatsFrom(snapshot.numbers, snapshot.taken_at) },
});

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
    // Days only increase, so that a day can be the revision.
    revision: Number(day.replaceAll('-', '')),
    organizationId: organization_id,
    businessId: business_id,
    flowId: `snapshot-${_id}-${day}`,
  };
  const data = { integrationId: _id, organizationId: organization_id, businessId: business_id, platform, day, stats, takenAt };
  await appendToOutbox(db, session, SOURCE, topics.accountSnapshotTaken, emission, data);
}
