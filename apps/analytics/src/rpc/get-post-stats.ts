import type { PublishedTarget, TargetStats } from '@fanfare/contracts/analytics';
import { historyOf, liveOf, storedOf } from '../live/post-stats.ts';
import { findDeliveries, type PostDocument } from '../posts/store/posts.ts';
import type { Rpc } from './rpc.ts';

export const getPostStats: Rpc<'getPostStats'> =
  (readers) =>
  async ({ postId, targets, withHistory, isFresh, isStored }, call) => {
    const known = await findDeliveries(readers.db, call.metadata, postId);
    // A deleted post has no targets any more, but its snapshots are still stored.
    const results = (targets.length > 0 ? targets : known.flatMap(targetOf)).map(async (target): Promise<TargetStats> => {
      const document = known.find((one) => one.integration_id === target.integrationId && one.publish_id === target.publishId);
      const read = isStored ? storedOf(document) : await liveOf(readers, target, document, isFresh, call);
      return { ...read, target, history: withHistory ? historyOf(document) : [] };
    });
    return { results: await Promise.all(results) };
  };

const targetOf = ({ integration_id: integrationId, platform, publish_id: publishId }: PostDocument): PublishedTarget[] =>
  publishId === undefined ? [] : [{ integrationId, platform, publishId }];
