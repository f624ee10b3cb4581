import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { postPage } from '../../pages/post-page.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { hosts } from './limits.ts';
import { linkedinCard } from './card.ts';

export const publicOperations: Operation[] = [
  { name: 'linkedin.view_post', hosts: [hosts.web], method: 'GET', path: '/feed/update/{urn}', handle: viewPost },
];

function viewPost(call: Call, { world }: Sandbox): Reply {
  const post = world.posts.get(call.params['urn']!);
  return post?.platform === 'linkedin' ? postPage(world, post, linkedinCard) : webNotFound('LinkedIn');
}
