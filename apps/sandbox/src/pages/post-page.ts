import type { Post } from '../world/post.ts';
import type { World } from '../world/world.ts';
import { html, type Reply } from '../wire/reply.ts';
import { authorOf, type Card } from './card.ts';
import { escape, htmlPage, pageHeaders } from './html-page.ts';
import { postCard } from './post-card.ts';

/** What the public sees under a post's permalink. */
export function postPage(world: World, post: Post, card: Card): Reply {
  const { name } = authorOf(world, post);
  return html(
    200,
    htmlPage(
      `${name} on ${post.platform}`,
      `<p class="tag">Sandbox of ${escape(post.platform)} · <a href="/">timeline</a></p><article class="card ${post.platform}">${postCard(world, post, card)}</article>`,
    ),
    pageHeaders,
  );
}
