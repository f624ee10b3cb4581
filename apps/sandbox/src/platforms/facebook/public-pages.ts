import { postState } from '../../world/post.ts';
import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import { postPage } from '../../pages/post-page.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { hosts } from './limits.ts';
import { findPost } from './publish.ts';
import { facebookCard } from './card.ts';

const view = (name: string, path: string, idOf: (call: Call) => string): Operation => ({
  name,
  hosts: [hosts.web],
  method: 'GET',
  path,
  handle: (call, sandbox) => viewPost(idOf(call), sandbox),
});

export const publicOperations: Operation[] = [
  view('facebook.view_reel', '/reel/{video_id}', (call) => call.params['video_id']!),
  view('facebook.view_video', '/{page_id}/videos/{video_id}', (call) => call.params['video_id']!),
  view('facebook.view_post', '/{page_id}/posts/{number}', (call) => `${call.params['page_id']}_${call.params['number']}`),
];

function viewPost(id: string, { world }: Sandbox): Reply {
  const post = findPost(world, id);
  return post && postState(post, world.now()) === 'live' ? postPage(world, post, facebookCard) : webNotFound('Facebook');
}
