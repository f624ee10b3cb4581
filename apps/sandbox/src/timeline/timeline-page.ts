import { isOnTop } from '../control/records.ts';
import { chosen } from '../platforms/chosen.ts';
import { escape } from '../platforms/html-page.ts';
import { mediaOf } from '../platforms/post-page.ts';
import { postState, repliesTo, type Post } from '../world/post.ts';
import type { World } from '../world/world.ts';

const shownPosts = 100;
const refreshSeconds = 5;

/** Everything that was posted, newest first; reloads itself. */
export function timelinePage(world: World): string {
  const posts = [...world.posts.values()].filter((post) => isOnTop(world, post)).reverse();
  const cards = posts.slice(0, shownPosts).map((post) => card(world, post));
  const more =
    posts.length > shownPosts
      ? `<p class="more">… and ${posts.length - shownPosts} older ones: <a href="/_control/posts">/_control/posts</a></p>`
      : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${refreshSeconds}"><title>Sandbox timeline</title><link rel="stylesheet" href="/_control/sandbox.css"></head>
<body class="timeline"><header class="top"><h1>Sandbox timeline</h1><p>${posts.length} ${posts.length === 1 ? 'post' : 'posts'} on pretend platforms. Nothing here has left this machine.</p>
<nav><a href="/_dev/mail">mail</a> <a href="/_apps">apps</a> <a href="/_control/posts">posts</a> <a href="/_control/requests?limit=100">requests</a> <a href="/_control/accounts">accounts</a> <a href="/_control/faults">faults</a></nav></header>
<main>${cards.join('\n') || '<p class="empty">Nothing has been posted yet. This page looks again every few seconds.</p>'}</main>${more}</body></html>`;
}

function card(world: World, post: Post): string {
  const account = world.accounts.get(post.account_id);
  const state = postState(post, world.now());
  const link = post.link
    ? `<p class="link"><a href="${escape(safeLink(post.link))}" rel="noreferrer noopener">${escape(post.link)}</a></p>`
    : '';
  const comments = repliesTo(world, post.id).map((one) => `<li>${escape(one.text)}</li>`);
  return `<article class="card ${post.platform}"><header><span class="badge">${escape(post.platform)}</span>
<span class="who"><strong>${escape(account?.name ?? post.account_id)}</strong><span>@${escape(account?.username ?? '')}</span></span></header>
${mediaOf(world, post)}<p class="text">${escape(post.text)}</p>${link}${chosen(post)}${comments.length ? `<ul class="comments">${comments.join('')}</ul>` : ''}
<footer><span class="kind">${escape(post.kind)}</span>${state === 'live' ? '' : `<span class="state ${state}">${state}</span>`}<time datetime="${escape(post.created_at)}">${escape(shortTime(post.created_at))}</time><a href="${escape(sandboxPath(post.url))}" title="${escape(post.url)}">view post</a></footer></article>`;
}

/** Where this sandbox serves what stands at a real address. */
const sandboxPath = (url: string) => `/${url.replace(/^https:\/\//, '')}`;

const safeLink = (link: string) => (/^https?:\/\//i.test(link) ? link : '#');

const shortTime = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
