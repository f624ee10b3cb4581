import { countsOf } from '../../world/statistics.ts';
import type { Post } from '../../world/post.ts';
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
    statistics: () => statisticsOf(world, post),
    contentDetails: () => ({
      duration: `PT${Math.ceil(durationOf(world, post) / 1000)}S`,
      dimension: '2d',
      definition: 'hd',
      caption: 'false',
    }),
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
    thumbnails: thumbnailsOf(post),
    channelTitle: world.accounts.get(post.account_id)?.name ?? '',
    tags: post.details['tags'],
    categoryId: post.details['category_id'],
    defaultLanguage: post.details['default_language'],
    liveBroadcastContent: 'none',
  };
}

/** Made for children: no comments and no comment count. */
function statisticsOf(world: World, post: Post) {
  const { views, likes, comments } = countsOf(world, post);
  return {
    viewCount: String(views),
    likeCount: String(likes),
    favoriteCount: '0',
    ...(post.details['made_for_kids'] !== true && { commentCount: String(comments) }),
  };
}

export function thumbnailsOf({ id }: Post) {
  const image = (file: string, width: number, height: number) => ({ url: `https://i.ytimg.com/vi/${id}/${file}.jpg`, width, height });
  return { default: image('default', 120, 90), medium: image('mqdefault', 320, 180), high: image('hqdefault', 480, 360) };
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
/** In milliseconds. */
export const durationOf = (world: World, post: Post): number => world.media.get(post.media_ids[0] ?? '')?.duration_ms ?? 0;
