import type { Platform } from '@fanfare/connectors';
import type { Db } from 'mongodb';
import type { CommitDocument, DeliveryDocument } from '../delivery.ts';

// Queries about other deliveries to the same account on a platform, in any business.

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

/** Which of these posts on the platform belong to other deliveries. */
export async function findBoundPublishIds(db: Db, delivery: DeliveryDocument, publishIds: readonly string[]): Promise<Set<string>> {
  const bound = await deliveries(db)
    .find({ ...accountOf(delivery), publish_id: { $in: [...publishIds] }, _id: { $ne: delivery._id } }, { projection: { publish_id: 1 } })
    .toArray();
  return new Set(bound.flatMap(({ publish_id }) => publish_id ?? []));
}

/**
 * Whether a delivery of another post with the same content to the same account has a commit whose outcome is open or unknown and that
 * may have reached the platform after ours began: a post that is found could be its post. A post that an earlier delivery of this post made is ours.
 */
export async function hasCompetingCommit(db: Db, delivery: DeliveryDocument, commit: CommitDocument): Promise<boolean> {
  const rival = await deliveries(db).findOne(
    {
      ...accountOf(delivery),
      'commit.fingerprint': commit.fingerprint,
      'commit.deadline_at': { $gte: commit.began_at },
      post_id: { $ne: delivery.post_id },
      publish_id: { $exists: false },
      _id: { $ne: delivery._id },
    },
    { projection: { _id: 1 } },
  );
  return rival !== null;
}

/** When an earlier delivery of this post to the same account began a commit with an unknown outcome: the platform may have the post from it. */
export async function findEarlierCommit(db: Db, delivery: DeliveryDocument, fingerprint: string): Promise<Date | undefined> {
  const earlier = await deliveries(db).findOne(
    {
      ...accountOf(delivery),
      'commit.fingerprint': fingerprint,
      post_id: delivery.post_id,
      publish_id: { $exists: false },
      _id: { $ne: delivery._id },
    },
    { projection: { commit: 1 }, sort: { 'commit.began_at': 1 } },
  );
  return earlier?.commit?.began_at;
}

/** The account on the platform, whichever business it is connected in. */
function accountOf({ _id, platform, account_id }: DeliveryDocument): { platform: Platform; account_id: string } {
  if (account_id === undefined) throw new Error(`Delivery ${_id} has not begun.`);
  return { platform, account_id };
}
