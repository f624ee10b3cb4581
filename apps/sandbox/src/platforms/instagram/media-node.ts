import type { Media } from '../../world/media.ts';
import type { Post } from '../../world/post.ts';
import type { World } from '../../world/world.ts';
import { select, type Field, type Node } from '../graph/fields.ts';
import { graphTime } from '../graph/paging.ts';
import { instagramCounts } from './counts.ts';

/** Kinds of media to Instagram: each has metrics of its own. */
export type ProductType = 'FEED' | 'REELS' | 'STORY';

export function productTypeOf({ kind }: Post): ProductType {
  return kind === 'reel' ? 'REELS' : kind === 'story' ? 'STORY' : 'FEED';
}

export function mediaNode(world: World, post: Post): Node {
  const counts = instagramCounts(world, post);
  const media = post.media_ids.flatMap((id) => world.media.get(id) ?? []);
  const first = media[0];
  const typeOf = (kind: 'image' | 'video' | undefined) => (kind === 'video' ? 'VIDEO' : 'IMAGE');
  const url = (id: string) => `https://scontent.cdninstagram.com/${id}`;
  const thumbnail = first?.kind === 'video' ? url(`${first.id}.jpg`) : undefined;
  return {
    id: post.id,
    caption: post.text || undefined,
    media_type: post.kind === 'carousel' ? 'CAROUSEL_ALBUM' : typeOf(first?.kind),
    media_product_type: productTypeOf(post),
    media_url: first && post.kind !== 'carousel' ? url(first.id) : undefined,
    thumbnail_url: thumbnail,
    permalink: post.url,
    shortcode: post.details['shortcode'],
    timestamp: graphTime(post.created_at),
    username: world.accounts.get(post.account_id)?.username,
    alt_text: first?.alt_text ?? undefined,
    owner: { id: post.account_id },
    like_count: counts.likes,
    comments_count: counts.comments,
    saved_count: counts.saves,
    shares_count: counts.shares,
    reposts_count: 0,
    children: post.kind === 'carousel' ? (field: Field) => ({ data: media.map((one) => child(one, field)) }) : undefined,
  };

  function child(one: Media, field: Field) {
    const node = {
      id: `${post.id}${one.id.slice(1)}`,
      media_type: typeOf(one.kind),
      media_url: url(one.id),
      thumbnail_url: one.kind === 'video' ? url(`${one.id}.jpg`) : undefined,
      permalink: post.url,
      timestamp: graphTime(post.created_at),
    };
    return select('ShadowIGMedia', node, field.fields, ['id']);
  }
}
