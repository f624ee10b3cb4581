import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { postPage } from '../../pages/post-page.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { hosts } from './limits.ts';
import { xCard } from './card.ts';

export const publicOperations: Operation[] = [
  { name: 'x.view_post', hosts: [hosts.web], method: 'GET', path: '/{username}/status/{id}', handle: viewPost },
  { name: 'x.view_post_by_id', hosts: [hosts.web], method: 'GET', path: '/i/web/status/{id}', handle: viewPost },
];

function viewPost(call: Call, { world }: Sandbox): Reply {
  const post = world.posts.get(call.params['id']!);
  return post?.platform === 'x' ? postPage(world, post, xCard) : webNotFound('X');
}
