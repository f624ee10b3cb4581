import type { Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { startTelling } from '../news/start-telling.ts';
import { findPostsWithMedia } from '../posts/store/post-media.ts';
import { findPostsById, replacePost } from '../posts/store/posts.ts';
import { withMediaNews, type MediaNews } from './media-news.ts';
import { mediaNewsRows } from './store/media-news.ts';

/** Tells posts what the library said of their media. */
export function startFollowingMedia(context: Context): Loop {
  return startTelling(context, {
    name: 'media-news',
    rows: mediaNewsRows,
    findPosts: ({ _id: mediaId, business_id: businessId }, afterId, limit) =>
      findPostsWithMedia(context.db, { businessId, mediaId }, afterId, limit),
    tell: ({ _id: mediaId, texts, facts }, postId) => tell(context, postId, { mediaId, ...(texts && { texts }), ...(facts && { facts }) }),
  });
}

/** An edit or a claim of the post at the same time conflicts with this, and is decided anew. */
async function tell({ db, transact }: Context, postId: string, news: MediaNews): Promise<void> {
  await transact(async (session) => {
    const [post] = await findPostsById(db, [postId], session);
    const after = post && withMediaNews(post, news);
    if (after) await replacePost(db, post, after, session);
  });
}
