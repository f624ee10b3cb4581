import type { Post } from '../../world/post.ts';
import { repliesTo } from '../../world/post.ts';
import { progressOf } from '../../world/processing.ts';
import type { World } from '../../world/world.ts';
import { rejectionReasons, failureReasons } from './limits.ts';

export const videoParts = ['id', 'snippet', 'status', 'processingDetails', 'statistics', 'contentDetails'];

/** A video as the API shows it to its owner. */
export function videoResource(world: World, post: Post, parts: string[]): Record<string, unknown> {
  const known: Record<string, () => unknown> = {
    snippet: () => snippetOf(world, post),
    status: () => statusOf(world, post),
    processingDetails: () => ({ processingStatus: processingStatus[uploadOf(world, post).uploadStatus] }),
    statistics: () => ({ viewCount: '0', likeCount: '0', favoriteCount: '0', commentCount: String(repliesTo(world, post.id).length) }),
    contentDetails: () => ({ duration: duration(world, post), dimension: '2d', definition: 'hd', caption: 'false' }),
  };
  return {
    kind: 'youtube#video',
    etag: `"${post.id}"`,
    id: post.id,
    ...Object.fromEntries(parts.flatMap((part) => (known[part] ? [[part, known[part]()]] : []))),
  };
}

function snippetOf(world: World, post: Post) {
  return {
    publishedAt: post.created_at,
    channelId: post.account_id,
    title: post.details['title'],
    description: post.text,
    thumbnails: {},
    channelTitle: world.accounts.get(post.account_id)?.name ?? '',
    tags: post.details['tags'],
    categoryId: post.details['category_id'],
    defaultLanguage: post.details['default_language'],
    liveBroadcastContent: 'none',
  };
}

function statusOf(world: World, post: Post) {
  const { details } = post;
  return {
    ...uploadOf(world, post),
    privacyStatus: details['privacy_status'],
    license: 'youtube',
    embeddable: true,
    publicStatsViewable: true,
    madeForKids: details['made_for_kids'],
    selfDeclaredMadeForKids: details['made_for_kids'],
    containsSyntheticMedia: details['contains_synthetic_media'],
  };
}

function uploadOf({ now }: World, { processing }: Post): Record<string, string> & { uploadStatus: string } {
  const state = processing ? progressOf(processing, now()) : 'finished';
  if (state !== 'failed') return { uploadStatus: state === 'finished' ? 'processed' : 'uploaded' };
  const reason = processing?.failure?.message ?? '';
  if (rejectionReasons.includes(reason)) return { uploadStatus: 'rejected', rejectionReason: reason };
  return { uploadStatus: 'failed', failureReason: failureReasons.includes(reason) ? reason : 'invalidFile' };
}

const processingStatus: Record<string, string> = {
  processed: 'succeeded',
  uploaded: 'processing',
  failed: 'failed',
  rejected: 'terminated',
};

/** ISO 8601: `PT3S`. */
function duration(world: World, post: Post): string {
  const ms = world.media.get(post.media_ids[0] ?? '')?.duration_ms ?? 0;
  return `PT${Math.ceil(ms / 1000)}S`;
}
