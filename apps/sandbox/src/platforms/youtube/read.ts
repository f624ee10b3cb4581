import type { Reply } from '../../wire/reply.ts';
import type { Post } from '../../world/post.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { listCategories } from './categories.ts';
import { listChannels } from './channels.ts';
import { badParameter } from './errors.ts';
import { apiHosts, limits, scopesFor } from './limits.ts';
import { noFilter, page } from './list-page.ts';
import { partsOf } from './parts.ts';
import { listPlaylistItems } from './playlist-items.ts';
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
