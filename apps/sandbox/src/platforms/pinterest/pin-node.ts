import type { Post } from '../../world/post.ts';
import type { World } from '../../world/world.ts';
import { pinMetrics } from './pin-statistics.ts';

/** A pin, as the API shows it to its owner. */
export function pinNode(world: World, post: Post, withMetrics = false): Record<string, unknown> {
  const { title, board_id, board_section_id, alt_text, dominant_color } = post.details;
  return {
    id: post.id,
    created_at: post.created_at.slice(0, 19),
    title,
    description: post.text || null,
    link: post.link,
    alt_text,
    board_id,
    board_section_id,
    board_owner: { username: world.accounts.get(post.account_id)?.username },
    creative_type: { video: 'VIDEO', carousel: 'CAROUSEL' }[post.kind as string] ?? 'REGULAR',
    media: mediaNode(world, post),
    dominant_color,
    parent_pin_id: null,
    is_owner: true,
    is_standard: true,
    has_been_promoted: false,
    pin_metrics: withMetrics ? pinMetrics(world, post) : null,
  };
}

function mediaNode(world: World, post: Post): Record<string, unknown> {
  const media = post.media_ids.flatMap((id) => world.media.get(id) ?? []);
  const [first] = media;
  const images = (id: string) => ({ '600x': { width: 600, height: 900, url: `https://i.pinimg.com/600x/${id}.jpg` } });
  if (post.kind === 'video') {
    const { duration_ms: duration, width, height } = first ?? {};
    return { media_type: 'video', duration, width, height, cover_image_url: `https://i.pinimg.com/600x/${post.id}.jpg`, video_url: null };
  }
  if (post.kind === 'photo') return { media_type: 'image', images: images(post.id) };
  return { media_type: 'multiple_images', items: media.map((one) => ({ item_type: 'image', images: images(one.id) })) };
}
