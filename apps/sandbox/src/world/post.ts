import type { PlatformName } from '../platforms/platform-name.ts';
import { progressOf, type Processing } from './processing.ts';
import type { World } from './world.ts';

/** Something that the public can see, or will see once it has been processed. Comments and replies are posts with `reply_to`. */
export interface Post {
  id: string;
  platform: PlatformName;
  account_id: string;
  kind: 'text' | 'link' | 'photo' | 'album' | 'carousel' | 'video' | 'reel' | 'story' | 'comment' | 'reply';
  text: string;
  link: string | null;
  media_ids: string[];
  reply_to: string | null;
  /** Where the public finds it, on the real host. */
  url: string;
  created_at: string;
  processing: Processing | null;
  /** False: made but not shown (a Page's unpublished post). */
  published: boolean;
  /** What only this platform knows of it. */
  details: Record<string, unknown>;
}

export function addPost(world: World, fields: Omit<Post, 'created_at' | 'processing' | 'published' | 'details'> & Partial<Post>): Post {
  const post: Post = {
    processing: null,
    published: true,
    details: {},
    ...fields,
    created_at: new Date(world.now()).toISOString(),
  };
  world.posts.set(post.id, post);
  world.touched();
  return post;
}

export function postState(post: Post, now: number): 'live' | 'unpublished' | 'processing' | 'failed' {
  if (!post.published) return 'unpublished';
  const progress = post.processing ? progressOf(post.processing, now) : 'finished';
  return progress === 'finished' ? 'live' : progress === 'failed' ? 'failed' : 'processing';
}

/** Newest first; live ones only, as the public sees them. */
export function livePostsOf(world: World, accountId: string): Post[] {
  const now = world.now();
  return [...world.posts.values()].filter((post) => post.account_id === accountId && postState(post, now) === 'live').reverse();
}

/** The newest of them that is meant. Among thousands, and with every post that is made: nothing is copied. */
export function findLivePost(world: World, accountId: string, isMeant: (post: Post) => boolean): Post | undefined {
  const now = world.now();
  let newest: Post | undefined;
  for (const post of world.posts.values()) {
    if (post.account_id === accountId && isMeant(post) && postState(post, now) === 'live') newest = post;
  }
  return newest;
}

export function repliesTo(world: World, postId: string): Post[] {
  return [...world.posts.values()].filter((post) => post.reply_to === postId);
}
