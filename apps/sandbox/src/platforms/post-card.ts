import { repliesTo, type Post } from '../world/post.ts';
import type { World } from '../world/world.ts';
import type { Card } from './card.ts';
import { chosen } from './chosen.ts';
import { facebookCard } from './facebook/card.ts';
import { googleBusinessCard } from './google-business/card.ts';
import { escape } from './html-page.ts';
import { instagramCard } from './instagram/card.ts';
import { linkedinCard } from './linkedin/card.ts';
import { pinterestCard } from './pinterest/card.ts';
import type { PlatformName } from './platform-name.ts';
import { tiktokCard } from './tiktok/card.ts';
import { xCard } from './x/card.ts';
import { youtubeCard } from './youtube/card.ts';

const cards: Readonly<Record<PlatformName, Card>> = {
  facebook: facebookCard,
  google_business: googleBusinessCard,
  instagram: instagramCard,
  linkedin: linkedinCard,
  pinterest: pinterestCard,
  tiktok: tiktokCard,
  x: xCard,
  youtube: youtubeCard,
};

/** A post as its platform lays it out, its comments, and what was chosen besides, as HTML. */
export function postCard(world: World, post: Post): string {
  const { draw, shows } = cards[post.platform];
  const comments = repliesTo(world, post.id).map(({ text }) => `<li>${escape(text)}</li>`);
  return `<div class="as-${post.platform}">${draw(post, world)}</div>${comments.length ? `<ul class="comments">${comments.join('')}</ul>` : ''}${chosen(post, shows)}`;
}
