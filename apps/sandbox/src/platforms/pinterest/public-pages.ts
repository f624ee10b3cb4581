import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { postPage } from '../../pages/post-page.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { hosts } from './limits.ts';
import { pinterestCard } from './card.ts';

export const publicOperations: Operation[] = [
  { name: 'pinterest.view_pin', hosts: [hosts.web], method: 'GET', path: '/pin/{id}', handle: viewPin },
];

function viewPin(call: Call, { world }: Sandbox): Reply {
  const post = world.posts.get(call.params['id']!);
  return post?.platform === 'pinterest' ? postPage(world, post, pinterestCard) : webNotFound('Pinterest');
}
