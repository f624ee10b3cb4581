import type { Post } from '../../world/post.ts';
import { countsOf, type PostCounts } from '../../world/statistics.ts';
import type { World } from '../../world/world.ts';

/** Instagram's views are what other platforms call impressions. */
export const instagramCounts = (world: World, post: Post): PostCounts => countsOf(world, post, { viewsAreImpressions: true });
