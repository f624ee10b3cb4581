import type { ListQueuePostsResponse, Post } from '@fanfare/contracts/content';
import { pageToken, parsePageToken, transaction, type Mongo } from '@fanfare/mongo';
import { withEstimates } from '../../queues/places-of-posts.ts';
import type { QueueDocument } from '../../queues/queue.ts';
import { findPositions, findPostIds } from '../../queues/store/queue-blocks.ts';
import { readRiskSources, risksOfWaiting } from '../current-risks.ts';
import { toPost } from '../to-post.ts';
import { PAGE_BYTES, sizeOf } from './post-lists.ts';
import { findShownPosts } from './posts.ts';

/**
 * A page of the posts of a queue, in its order. It continues after the last post of the page before, wherever that is now; if it has left the queue, at the
 * position that it had.
 * @throws DomainError invalid_request `cursor`
 */
export async function pageOfQueue(mongo: Mongo, queue: QueueDocument, pageSize: number, token: string): Promise<ListQueuePostsResponse> {
  const { db, client } = mongo;
  const binding = ['queue', queue.organization_id, queue.business_id, queue._id];
  const last = parsePageToken(token, binding);
  const sources = await readRiskSources(db, queue.business_id, true);
  // One snapshot: posts do not change their positions between these reads.
  const { from, ids, posts } = await transaction(client, async (session) => {
    const from = last ? await positionAfter(last) : 1;
    const ids = await findPostIds(db, queue._id, from, pageSize + 1, session);
    return { from, ids, posts: await findShownPosts(db, ids, session) };

    async function positionAfter({ id, createdAt }: { id: string; createdAt: Date }): Promise<number> {
      const now = (await findPositions(db, [id], session)).get(id);
      return now?.queueId === queue._id ? now.position + 1 : createdAt.getTime();
    }
  });
  const positions = new Map(ids.map((id, index) => [id, { queueId: queue._id, position: from + index }]));
  const places = withEstimates(positions, new Map([[queue._id, queue]]));
  const page: Post[] = [];
  let bytes = 0;
  for (const id of ids) {
    const post = posts.get(id);
    if (!post) continue;
    const risks = await risksOfWaiting(db, post, sources);
    bytes += sizeOf(post) + (risks.length > 0 ? Buffer.byteLength(JSON.stringify(risks)) : 0);
    const before = page.at(-1);
    // The token has the position of the last post in place of a time.
    if (before && (page.length === pageSize || bytes > PAGE_BYTES))
      return { posts: page, nextPageToken: pageToken({ createdAt: new Date(from + page.length - 1), id: before.id }, binding) };
    page.push(toPost(post, risks, places.get(id)));
  }
  return { posts: page, nextPageToken: '' };
}
