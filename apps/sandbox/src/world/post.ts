import type { PlatformName } from '../platforms/platform-name.ts';
import { progressOf, type Processing } from './processing.ts';
import type { World } from './world.ts';

/** A public post, or one that becomes public after processing. Comments and replies are posts with `reply_to`. */
export interface Post {
  id: string;
  platform: PlatformName;
  account_id: string;
  kind: 'text' | 'link' | 'photo' | 'album' | 'carousel' | 'video' | 'reel' | 'story' | 'comment' | 'reply';
  text: string;
  link: string | null;
  media_ids: string[];
  reply_to: string | null;
  /** Its public URL, on the real host. */
  url: string;
  created_at: string;
  processing: Processing | null;
  /** False: created but not public (a Page's unpublished post). */
  published: boolean;
  /** Data of this platform only. */
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

/** A deleted post takes its comments with it. Replies are posts of their own and stay. */
export function deletePost(world: World, id: string): void {
  for (const comment of repliesTo(world, id)) if (comment.kind === 'comment') world.posts.delete(comment.id);
  world.posts.delete(id);
  world.touched();
}

export function postState(post: Post, now: number): 'live' | 'unpublished' | 'processing' | 'failed' {
  if (!post.published) return 'unpublished';
  const progress = post.processing ? progressOf(post.processing, now) : 'finished';
  return progress === 'finished' ? 'live' : progress === 'failed' ? 'failed' : 'processing';
}

/** Newest first; only public ones. */
export function livePostsOf(world: World, accountId: string): Post[] {
  const now = world.now();
  return [...world.posts.values()].filter((post) => post.account_id === accountId && postState(post, now) === 'live').reverse();
}

/** The newest match. Called for every new post among thousands, so nothing is copied. */
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
