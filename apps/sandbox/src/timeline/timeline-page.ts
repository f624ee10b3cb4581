import { isOnTop } from '../control/records.ts';
import { escape } from '../pages/html-page.ts';
import type { Platform } from '../platforms/platform.ts';
import { postCard } from '../pages/post-card.ts';
import { platforms } from '../platforms/registry.ts';
import { postState, type Post } from '../world/post.ts';
import type { World } from '../world/world.ts';

const shownPosts = 100;
const refreshSeconds = 5;

/**
 * Everything that was posted, newest first, each as its platform shows it.
 * @param still does not reload, so that a video can be watched to its end
 */
export function timelinePage(world: World, still: boolean): string {
  const posts = [...world.posts.values()].filter((post) => isOnTop(world, post)).reverse();
  const cards = posts.slice(0, shownPosts).map((post) => card(world, post));
  const more =
    posts.length > shownPosts
      ? `<p class="more">… and ${posts.length - shownPosts} older ones: <a href="/_control/posts">/_control/posts</a></p>`
      : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${still ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}">`}<title>Sandbox timeline</title><link rel="stylesheet" href="/_control/sandbox.css"></head>
<body class="timeline"><header class="top"><h1>Sandbox timeline</h1><p>${posts.length} ${posts.length === 1 ? 'post' : 'posts'} on simulated platforms. Nothing here has left this machine.</p>
<nav>${still ? '<a href="/">reload automatically</a>' : '<a href="/?still">stop reloading</a>'} <a href="/_dev/mail">mail</a> <a href="/_apps">apps</a> <a href="/_control/posts">posts</a> <a href="/_control/requests?limit=100">requests</a> <a href="/_control/accounts">accounts</a> <a href="/_control/faults">faults</a></nav></header>
<main>${cards.join('\n') || '<p class="empty">Nothing has been posted yet. This page reloads every few seconds.</p>'}</main>${more}</body></html>`;
}

function card(world: World, post: Post): string {
  const platform: Platform = platforms[post.platform];
  const state = postState(post, world.now());
  return `<article class="card ${post.platform}"><p class="origin"><span class="badge">${escape(platform.label)}</span></p>${postCard(world, post, platform.card)}
<footer><span class="kind">${escape(post.kind)}</span>${state === 'live' ? '' : `<span class="state ${state}">${state}</span>`}<time datetime="${escape(post.created_at)}">${escape(shortTime(post.created_at))}</time><a href="${escape(sandboxPath(post.url))}" title="${escape(post.url)}">view post</a></footer></article>`;
}

/** The sandbox's path for a real URL. */
const sandboxPath = (url: string) => `/${url.replace(/^https:\/\//, '')}`;

const shortTime = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
