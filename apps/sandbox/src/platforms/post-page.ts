import type { Post } from '../world/post.ts';
import { repliesTo } from '../world/post.ts';
import type { World } from '../world/world.ts';
import { html, type Reply } from '../wire/reply.ts';
import { chosen } from './chosen.ts';
import { escape, htmlPage, pageHeaders } from './html-page.ts';

/** What the public sees under a post's permalink. */
export function postPage(world: World, post: Post): Reply {
  const account = world.accounts.get(post.account_id);
  const name = account?.name ?? post.account_id;
  const link = post.link ? `<p><a href="${escape(post.link)}" rel="noreferrer noopener">${escape(post.link)}</a></p>` : '';
  const comments = repliesTo(world, post.id).map((one) => `<li>${escape(one.text)}</li>`);
  return html(
    200,
    htmlPage(
      `${name} on ${post.platform}`,
      `<header class="who"><strong>${escape(name)}</strong><span>@${escape(account?.username ?? '')} · ${escape(post.platform)} · ${escape(post.created_at)}</span></header>
<p class="text">${escape(post.text)}</p>${link}${mediaOf(world, post)}${chosen(post)}${comments.length ? `<ul class="comments">${comments.join('')}</ul>` : ''}`,
    ),
    pageHeaders,
  );
}

/** The pictures of a post, as HTML. */
export function mediaOf(world: World, post: Post): string {
  const shown = post.media_ids
    .flatMap((id) => world.media.get(id) ?? [])
    .map((media) => {
      const label = media.alt_text ?? `${media.kind}, ${media.width} × ${media.height}`;
      return media.preview
        ? `<img loading="lazy" src="/_control/media/${escape(media.id)}" alt="${escape(label)}" title="${escape(label)}">`
        : `<div class="nothing">${escape(label)}</div>`;
    });
  return shown.length ? `<div class="media n${Math.min(shown.length, 4)}">${shown.join('')}</div>` : '';
}
