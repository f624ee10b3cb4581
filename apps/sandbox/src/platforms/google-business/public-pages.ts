import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { postPage } from '../../pages/post-page.ts';
import { postState } from '../../world/post.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { locationsOf, numberOf } from './accounts.ts';
import { hosts } from './limits.ts';
import { googleBusinessCard } from './card.ts';

export const publicOperations: Operation[] = [
  { name: 'google_business.view_post', hosts: [hosts.web], method: 'GET', path: '/place', handle: viewPost },
];

/** Only its owner sees a post that is under review or was rejected. */
function viewPost({ query }: Call, { world }: Sandbox): Reply {
  const location = locationsOf(world).find(({ id }) => numberOf(id) === query.get('id'));
  const post = location && world.posts.get(`${location.id}/localPosts/${query.get('lpsid')}`);
  return post && postState(post, world.now()) === 'live' ? postPage(world, post, googleBusinessCard) : webNotFound('Google');
}
