import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { postPage } from '../../pages/post-page.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { hosts } from './limits.ts';
import { instagramCard } from './card.ts';

export const publicOperations: Operation[] = [
  { name: 'instagram.view_post', hosts: [hosts.web], method: 'GET', path: '/p/{shortcode}', handle: viewPost },
  { name: 'instagram.view_reel', hosts: [hosts.web], method: 'GET', path: '/reel/{shortcode}', handle: viewPost },
];

function viewPost(call: Call, { world }: Sandbox): Reply {
  const post = [...world.posts.values()].find(
    (one) => one.platform === 'instagram' && one.details['shortcode'] === call.params['shortcode'],
  );
  return post ? postPage(world, post, instagramCard) : webNotFound('Instagram');
}
