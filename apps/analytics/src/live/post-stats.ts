import type { PublishedTarget, TargetStats } from '@fanfare/contracts/analytics';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import type { PostDocument } from '../posts/store/posts.ts';
import type { AccountFinder } from './known-account.ts';
import { readPost } from './read-post.ts';
import { postStatsFrom } from './to-proto.ts';

/** The current statistics of a published post; those of its last snapshot if they cannot be read. */
export async function liveOf(
  readers: Parameters<typeof readPost>[0] & { readonly findAccount: AccountFinder },
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

/** The statistics of its last snapshot. */
export const storedOf = (document: PostDocument | undefined): Pick<TargetStats, 'stats' | 'unavailableReason'> =>
  document?.latest
    ? { stats: postStatsFrom(document.latest.numbers, document.latest.taken_at), unavailableReason: '' }
    : { stats: undefined, unavailableReason: 'No statistics are stored yet.' };

export const historyOf = (document: PostDocument | undefined) =>
  (document?.snapshots ?? []).map(({ age_hours, taken_at, numbers }) => ({ ageHours: age_hours, stats: postStatsFrom(numbers, taken_at) }));
