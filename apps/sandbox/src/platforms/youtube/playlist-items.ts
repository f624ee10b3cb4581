import type { Reply } from '../../wire/reply.ts';
import type { Post } from '../../world/post.ts';
import type { Sandbox } from '../platform.ts';
import { channelsOf, uploadsOf } from './accounts.ts';
import { badParameter, playlistNotFound } from './errors.ts';
import { limits } from './limits.ts';
import { noFilter, page } from './list-page.ts';
import { partsOf } from './parts.ts';
import { thumbnailsOf } from './video.ts';
import { publicVideosOf, videosOf } from './videos-of.ts';
import type { YoutubeCall } from './youtube-operation.ts';

/** The uploads of a channel: all of the caller's own, the public ones of others. */
export function listPlaylistItems({ query, channel }: YoutubeCall, { world }: Sandbox): Reply {
  const parts = partsOf(query, ['id', 'snippet', 'contentDetails', 'status']);
  const playlistId = query.get('playlistId');
  if (playlistId === null) throw noFilter('id, playlistId');
  const size = Number(query.get('maxResults') ?? 5);
  if (!Number.isInteger(size) || size < 0 || size > limits.idsPerList) {
    throw badParameter('invalidParameter', `Invalid value '${size}'. Values must be within the range: [0, 50]`, 'maxResults');
  }
  const owner = channelsOf(world).find(({ id }) => uploadsOf(id) === playlistId);
  if (!owner) throw playlistNotFound();
  const all = owner.id === channel.id ? videosOf(world, owner.id) : publicVideosOf(world, owner.id);
  const start = startOf(query.get('pageToken'));
  const items = all.slice(start, start + size).map((post) => itemOf(post, parts));
  return page('playlistItem', items, all.length, start + size < all.length ? tokenOf(start + size) : undefined);
}

function itemOf(post: Post, parts: string[]) {
  return {
    kind: 'youtube#playlistItem',
    id: `PLI${post.id}`,
    ...(parts.includes('snippet') && {
      snippet: {
        publishedAt: post.created_at,
        channelId: post.account_id,
        title: post.details['title'],
        description: post.text,
        thumbnails: thumbnailsOf(post),
        resourceId: { kind: 'youtube#video', videoId: post.id },
      },
    }),
    ...(parts.includes('contentDetails') && { contentDetails: { videoId: post.id, videoPublishedAt: post.created_at } }),
    ...(parts.includes('status') && { status: { privacyStatus: post.details['privacy_status'] } }),
  };
}

const tokenOf = (start: number) => Buffer.from(`CAUQ${start}`).toString('base64url');

function startOf(token: string | null): number {
  if (token === null) return 0;
  const [, start] = /^CAUQ(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (start === undefined) throw badParameter('invalidPageToken', 'The request specifies an invalid page token.', 'pageToken');
  return Number(start);
}
