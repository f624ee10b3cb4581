import type { PostDocument } from '../posts/post.ts';

/** Whether the post is waiting for its time, or in a queue. After the claim, its results say what happens. */
export const isWaiting = ({ next_due_at, queue_id }: Pick<PostDocument, 'next_due_at' | 'queue_id'>): boolean =>
  next_due_at !== undefined || queue_id !== undefined;
