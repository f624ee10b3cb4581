import type { Reply } from '../../wire/reply.ts';
import { deletePost } from '../../world/post.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { badParameter, forbidden, videoNotFound } from './errors.ts';
import { apiHosts, limits, scopesFor } from './limits.ts';
import { youtubeOperation, type YoutubeCall } from './youtube-operation.ts';

export const deleteOperations: Operation[] = [
  youtubeOperation({
    name: 'youtube.delete_video',
    hosts: apiHosts,
    method: 'DELETE',
    path: '/youtube/v3/videos',
    scopes: scopesFor.delete,
    query: ['id'],
    cost: { bucket: 'units', units: limits.units.delete },
    handle: deleteVideo,
  }),
];

function deleteVideo(call: YoutubeCall, { world }: Sandbox): Reply {
  const id = call.query.get('id') ?? '';
  if (id === '') throw badParameter('required', 'Required parameter: id', 'id');
  const video = world.posts.get(id);
  if (video?.platform !== 'youtube' || video.reply_to) throw videoNotFound();
  if (video.account_id !== call.channel.id) throw forbidden('The video cannot be deleted. The request might not be properly authorized.');
  deletePost(world, id);
  return { status: 204, headers: {}, body: { kind: 'none' } };
}
