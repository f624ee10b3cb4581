import type { Post } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';
import { placesOfPosts } from '../queues/places-of-posts.ts';
import { currentRisks } from './current-risks.ts';
import type { PostDocument } from './post.ts';
import { toPost } from './to-post.ts';

/** A post as callers see it, with its current risks and its place in a queue. */
export async function showPost(db: Db, post: PostDocument): Promise<Post> {
  const [risks, places] = await Promise.all([currentRisks(db, post), placesOfPosts(db, [post])]);
  return toPost(post, risks, places.get(post._id));
}
