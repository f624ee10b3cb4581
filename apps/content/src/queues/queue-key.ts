import type { PostDocument } from '../posts/post.ts';

/** The key by which lists find the posts of a queue; it is among those of targets, because a further index would cost every write. */
export const queueKey = (queueId: string): string => `queue:${queueId}`;

export const queueKeysOf = ({ queue_id }: Pick<PostDocument, 'queue_id'>): string[] => (queue_id === undefined ? [] : [queueKey(queue_id)]);
