import { json, type Reply } from '../../wire/reply.ts';
import type { Post } from '../../world/post.ts';
import type { World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { uploadsOf } from './accounts.ts';
import { listCategories } from './categories.ts';
import { badParameter } from './errors.ts';
import { apiHosts, limits, scopesFor } from './limits.ts';
import { partsOf } from './parts.ts';
import { videoParts, videoResource } from './video.ts';
import { youtubeOperation, type YoutubeCall } from './youtube-operation.ts';

const list = {
  hosts: apiHosts,
  method: 'GET' as const,
  scopes: scopesFor.read,
  cost: { bucket: 'units' as const, units: limits.units.list },
};

export const readOperations: Operation[] = [
  youtubeOperation({
    ...list,
    name: 'youtube.list_channels',
    path: '/youtube/v3/channels',
    query: ['part', 'mine', 'id', 'maxResults'],
    handle: listChannels,
  }),
  youtubeOperation({
    ...list,
    name: 'youtube.list_videos',
    path: '/youtube/v3/videos',
    query: ['part', 'id', 'maxResults'],
    handle: listVideos,
  }),
  youtubeOperation({
    ...list,
    name: 'youtube.list_video_categories',
    path: '/youtube/v3/videoCategories',
    query: ['part', 'regionCode', 'hl'],
    handle: listCategories,
  }),
  youtubeOperation({
    ...list,
    name: 'youtube.list_playlist_items',
    path: '/youtube/v3/playlistItems',
    query: ['part', 'playlistId', 'maxResults', 'pageToken'],
    handle: listPlaylistItems,
  }),
];

function listChannels(call: YoutubeCall, { world }: Sandbox): Reply {
  const { query, channel } = call;
  const parts = partsOf(query, ['id', 'snippet', 'statistics', 'contentDetails']);
  if (query.get('mine') !== 'true' && !query.has('id')) throw noFilter('id, mine');
  if (query.has('id') && query.get('id') !== channel.id) return page('channel', [], 0);
  const known: Record<string, unknown> = {
    snippet: {
      title: channel.name,
      description: '',
      customUrl: `@${channel.username}`,
      publishedAt: channel.created_at,
      thumbnails: { default: { url: `https://yt3.ggpht.com/${channel.id}=s88`, width: 88, height: 88 } },
    },
    statistics: {
      viewCount: '0',
      subscriberCount: String(Number(channel.followers.toPrecision(3))),
      hiddenSubscriberCount: false,
      videoCount: String(videosOf(world, channel.id).length),
    },
    contentDetails: { relatedPlaylists: { likes: '', uploads: uploadsOf(channel.id) } },
  };
  const shown = Object.fromEntries(parts.filter((part) => known[part]).map((part) => [part, known[part]]));
  return page('channel', [{ kind: 'youtube#channel', id: channel.id, ...shown }], 1);
}

function listVideos(call: YoutubeCall, { world }: Sandbox): Reply {
  const parts = partsOf(call.query, videoParts);
  const ids = (call.query.get('id') ?? '').split(',').filter(Boolean);
  if (ids.length === 0) throw noFilter('id');
  if (ids.length > limits.idsPerList) throw badParameter('invalidValue', 'The request specifies too many ids.', 'id');
  const visible = (post: Post) => post.details['privacy_status'] !== 'private' || post.account_id === call.channel.id;
  const posts = ids
    .flatMap((id) => world.posts.get(id) ?? [])
    .filter((post) => post.platform === 'youtube' && !post.reply_to && visible(post));
  return page(
    'video',
    posts.map((post) => videoResource(world, post, parts)),
    posts.length,
  );
}

function listPlaylistItems(call: YoutubeCall, { world }: Sandbox): Reply {
  const { query, channel } = call;
  const parts = partsOf(query, ['id', 'snippet', 'contentDetails', 'status']);
  if (!query.has('playlistId')) throw noFilter('id, playlistId');
  const size = Number(query.get('maxResults') ?? 5);
  if (!Number.isInteger(size) || size < 0 || size > 50)
    throw badParameter('invalidParameter', `Invalid value '${size}'. Values must be within the range: [0, 50]`, 'maxResults');
  if (query.get('playlistId') !== uploadsOf(channel.id)) {
    throw badParameter('playlistNotFound', 'The playlist identified with the request cannot be found.', 'playlistId');
  }
  const start = Number(Buffer.from(query.get('pageToken') ?? '', 'base64url').toString() || 0);
  if (!Number.isInteger(start)) throw badParameter('invalidPageToken', 'The request specifies an invalid page token.', 'pageToken');
  const all = videosOf(world, channel.id);
  const items = all.slice(start, start + size).map((post) => ({
    kind: 'youtube#playlistItem',
    id: `PLI${post.id}`,
    ...(parts.includes('snippet') && {
      snippet: {
        publishedAt: post.created_at,
        channelId: channel.id,
        title: post.details['title'],
        description: post.text,
        resourceId: { kind: 'youtube#video', videoId: post.id },
      },
    }),
    ...(parts.includes('contentDetails') && { contentDetails: { videoId: post.id, videoPublishedAt: post.created_at } }),
    ...(parts.includes('status') && { status: { privacyStatus: post.details['privacy_status'] } }),
  }));
  const next = start + size < all.length ? Buffer.from(String(start + size)).toString('base64url') : undefined;
  return page('playlistItem', items, all.length, next);
}

/** Newest first. */
const videosOf = (world: World, channelId: string) =>
  [...world.posts.values()].filter((post) => post.platform === 'youtube' && post.account_id === channelId && !post.reply_to).reverse();

function page(kind: string, items: unknown[], totalResults: number, nextPageToken?: string): Reply {
  return json(200, {
    kind: `youtube#${kind}ListResponse`,
    ...(nextPageToken !== undefined && { nextPageToken }),
    pageInfo: { totalResults, resultsPerPage: items.length },
    // YouTube omits an empty list of channels.
    ...((items.length > 0 || kind !== 'channel') && { items }),
  });
}

const noFilter = (filters: string) =>
  badParameter('missingRequiredParameter', `No filter selected. Expected one of: ${filters}`, 'parameters.');
