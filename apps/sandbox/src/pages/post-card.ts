import { repliesTo, type Post } from '../world/post.ts';
import type { World } from '../world/world.ts';
import type { Card } from './card.ts';
import { chosen } from './chosen.ts';
import { escape } from './html-page.ts';

/** A post in its platform's layout, with comments and chosen options, as HTML. */
export function postCard(world: World, post: Post, card: Card): string {
  const comments = repliesTo(world, post.id).map(({ text }) => `<li>${escape(text)}</li>`);
  return `<div class="as-${post.platform}">${card.draw(post, world)}</div>${comments.length ? `<ul class="comments">${comments.join('')}</ul>` : ''}${chosen(post, card)}`;
}
