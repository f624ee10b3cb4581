import { postState, type Post } from '../../world/post.ts';
import type { World } from '../../world/world.ts';

/** Newest first; as their owner sees them, in any state. */
export const videosOf = (world: World, channelId: string): Post[] =>
  [...world.posts.values()].filter((post) => post.platform === 'youtube' && post.account_id === channelId && !post.reply_to).reverse();

/** Public videos: neither unlisted nor private ones. */
export const publicVideosOf = (world: World, channelId: string): Post[] =>
  videosOf(world, channelId).filter((post) => post.details['privacy_status'] === 'public' && postState(post, world.now()) === 'live');
