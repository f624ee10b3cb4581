import type { PublishedTarget, TargetStats } from '@fanfare/contracts/analytics';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { readPost } from '../live/read-post.ts';
import { postStatsFrom } from '../live/to-proto.ts';
import { findDeliveries, type PostDocument } from '../posts/store/posts.ts';
import type { Readers, Rpc } from './rpc.ts';

export const getPostStats: Rpc<'getPostStats'> =
  (readers) =>
  async ({ postId, targets, withHistory, isFresh, isStored }, call) => {
    const known = await findDeliveries(readers.db, call.metadata, postId);
    // A deleted post has no targets any more, but its snapshots are still stored.
    const results = (targets.length > 0 ? targets : known.flatMap(targetOf)).map(async (target): Promise<TargetStats> => {
      const document = known.find((one) => one.integration_id === target.integrationId && one.publish_id === target.publishId);
      const read = isStored ? storedOf(document) : await statsOf(readers, target, document, isFresh, call);
      return { ...read, target, history: withHistory ? historyOf(document) : [] };
    });
    return { results: await Promise.all(results) };
  };

const targetOf = ({ integration_id: integrationId, platform, publish_id: publishId }: PostDocument): PublishedTarget[] =>
  publishId === undefined ? [] : [{ integrationId, platform, publishId }];

async function statsOf(
  readers: Readers,
  { integrationId, publishId }: PublishedTarget,
  document: PostDocument | undefined,
  isFresh: boolean,
  call: Call,
): Promise<Pick<TargetStats, 'stats' | 'unavailableReason'>> {
  if (publishId === '') return { stats: undefined, unavailableReason: 'The post is not published on this account.' };
  const { latest } = document ?? {};
  const kept = latest && postStatsFrom(latest.numbers, latest.taken_at);
  try {
    const { post, unavailableReason } = await readPost(readers, await readers.findAccount(integrationId, call), publishId, isFresh, call);
    if (post && unavailableReason === '') return { stats: post.stats, unavailableReason };
    return { stats: kept ?? post?.stats, unavailableReason: unavailableReason || 'The platform no longer has this post.' };
  } catch (error) {
    // A failure on one account must not hide the statistics of the others.
    if (!(error instanceof DomainError)) throw error;
    return { stats: kept, unavailableReason: error.message };
  }
}

const storedOf = (document: PostDocument | undefined): Pick<TargetStats, 'stats' | 'unavailableReason'> =>
  document?.latest
    ? { stats: postStatsFrom(document.latest.numbers, document.latest.taken_at), unavailableReason: '' }
    : { stats: undefined, unavailableReason: 'No statistics are stored yet.' };

const historyOf = (document: PostDocument | undefined) =>
  (document?.snapshots ?? []).map(({ age_hours, taken_at, numbers }) => ({ ageHours: age_hours, stats: postStatsFrom(numbers, taken_at) }));
