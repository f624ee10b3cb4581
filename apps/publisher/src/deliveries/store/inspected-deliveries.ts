import type { InspectedDelivery } from '@fanfare/contracts/publisher';
import type { ClientSession, Db } from 'mongodb';
import type { DeliveryDocument } from '../delivery.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

/** For operators, who look deliveries up by the post that a customer reports. */
export async function createPostIndex(db: Db): Promise<void> {
  await deliveries(db).createIndex({ post_id: 1 });
}

export async function findDelivery(db: Db, id: string, session?: ClientSession): Promise<DeliveryDocument | null> {
  return deliveries(db).findOne({ _id: id }, session && { session });
}

/** The oldest first. */
export async function listDeliveriesOfPost(db: Db, postId: string): Promise<DeliveryDocument[]> {
  return deliveries(db).find({ post_id: postId }).sort({ created_at: 1, _id: 1 }).toArray();
}

/**
 * The course of a delivery. Without its content, which is the customer's, and its state, which may contain an upload URL of the platform.
 * @param pauses ids of the pauses that apply to it
 */
export function toInspectedDelivery(document: DeliveryDocument, pauses: readonly string[]): InspectedDelivery {
  const { commit, waiting, steps = {} } = document;
  return {
    id: document._id,
    organizationId: document.organization_id,
    businessId: document.business_id,
    postId: document.post_id,
    publicationId: document.publication_id,
    integrationId: document.integration_id,
    platform: document.platform,
    accountId: document.account_id,
    flowId: document.flow_id,
    status: document.status.replace('DELIVERY_STATUS_', '').toLowerCase(),
    open: document.open,
    steps: Object.entries(steps).map(([name, { outcome, runs, ended_at }]) => ({ name, outcome, runs, endedAt: ended_at })),
    attempts: document.attempts,
    failures: document.failures,
    fence: document.fence,
    revision: document.revision,
    commit: commit && {
      beganAt: commit.began_at,
      deadlineAt: commit.deadline_at,
      settledAt: commit.settled_at,
      finds: commit.finds,
      failedReads: commit.failed_reads,
    },
    lostCommits: document.lost_commits ?? 0,
    begunFollowUp: document.begun_follow_up,
    waitingReason: waiting?.reason,
    waitingMessage: waiting?.message,
    waitingUntil: waiting?.until,
    pauses: [...pauses],
    publishId: document.publish_id,
    postUrl: document.post_url,
    errorType: document.error_type,
    errorMessage: document.error_message,
    warnings: document.warnings,
    createdAt: document.created_at,
    dueAt: document.due_at,
    runAt: document.run_at,
    updatedAt: document.updated_at,
    publishedAt: document.published_at,
  };
}
