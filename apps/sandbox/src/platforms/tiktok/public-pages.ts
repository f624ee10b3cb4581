import type { Call } from '../../wire/call.ts';
import { html, redirect, type Reply } from '../../wire/reply.ts';
import { livePostsOf, postState } from '../../world/post.ts';
import { escape, htmlPage, pageHeaders } from '../../pages/html-page.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { postPage } from '../../pages/post-page.ts';
import { webNotFound } from '../../pages/web-not-found.ts';
import { hosts } from './limits.ts';
import { isPublic } from './post.ts';
import { tiktokCard } from './card.ts';

export const publicOperations: Operation[] = [
  { name: 'tiktok.view_video', hosts: [hosts.web], method: 'GET', path: '/@{username}/video/{id}', handle: viewPost },
  { name: 'tiktok.view_photo', hosts: [hosts.web], method: 'GET', path: '/@{username}/photo/{id}', handle: viewPost },
  { name: 'tiktok.view_profile', hosts: [hosts.web], method: 'GET', path: '/@{username}', handle: viewProfile },
];

/** The path of a video redirects to photos too. */
function viewPost(call: Call, { world }: Sandbox): Reply {
  const post = world.posts.get(call.params['id']!);
  const isSeen = post?.platform === 'tiktok' && isPublic(post) && postState(post, world.now()) === 'live';
  if (!isSeen) return webNotFound('TikTok');
  if (call.path.includes('/video/') && post.kind !== 'video')
    return redirect(new URL(post.url).pathname.replace(/^.*\/photo\//, '../photo/'));
  return postPage(world, post, tiktokCard);
}

function viewProfile(call: Call, { world }: Sandbox): Reply {
  const user = [...world.accounts.values()].find((one) => one.platform === 'tiktok' && one.username === call.params['username']);
  if (!user) return webNotFound('TikTok');
  const posts = livePostsOf(world, user.id)
    .filter(isPublic)
    .map((post) => `<li><a href="${escape(new URL(post.url).pathname.slice(1))}">${escape(post.text || post.id)}</a></li>`);
  const head = `<header class="who"><strong>${escape(user.name)}</strong><span>@${escape(user.username)} · tiktok</span></header>`;
  return html(200, htmlPage(`${user.name} on tiktok`, `${head}<ul class="comments">${posts.join('')}</ul>`), pageHeaders);
}
