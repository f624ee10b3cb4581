import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { postPage } from '../../pages/post-page.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { hosts } from './limits.ts';
import { youtubeCard } from './card.ts';

export const publicOperations: Operation[] = [
  { name: 'youtube.watch', hosts: [hosts.web], method: 'GET', path: '/watch', handle: watch },
  { name: 'youtube.watch_short', hosts: [hosts.web], method: 'GET', path: '/shorts/{id}', handle: watch },
  { name: 'youtube.watch_by_short_link', hosts: [hosts.short], method: 'GET', path: '/{id}', handle: watch },
];

/** A private video does not exist for the public. */
function watch(call: Call, { world }: Sandbox): Reply {
  const post = world.posts.get(call.params['id'] ?? call.query.get('v') ?? '');
  return post?.platform === 'youtube' && !post.reply_to && post.published ? postPage(world, post, youtubeCard) : webNotFound('YouTube');
}
