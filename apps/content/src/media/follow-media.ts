import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { findPostsWithMedia } from '../posts/store/post-media.ts';
import { findPostsById, replacePost } from '../posts/store/posts.ts';
import { withMediaNews, type MediaNews } from './media-news.ts';
import { findDueMediaNews, completeMediaNews, noteMediaNewsProgress } from './store/media-news.ts';

/** How long posts may show what the library said before. One index seek. */
const IDLE_MS = 1_000;
const BATCH = 100;

/** Tells posts what the library said of their media. Replicas may run it at once: what a post has heard changes it no more. */
export function startFollowingMedia(context: Context): Loop {
  return startLoop({ name: 'media-news', log: context.log, run: () => applySome(context) });
}

async function applySome(context: Context): Promise<number> {
  const { db } = context;
  const news = await findDueMediaNews(db);
  if (!news) return IDLE_MS;
  const { _id: mediaId, business_id: businessId, texts, facts } = news;
  const ids = await findPostsWithMedia(db, { businessId, mediaId }, news.told_to ?? '', BATCH);
  for (const id of ids) await tell(context, id, { mediaId, ...(texts && { texts }), ...(facts && { facts }) });
  const last = ids.at(-1);
  if (last !== undefined && ids.length === BATCH) await noteMediaNewsProgress(db, news, last);
  else await completeMediaNews(db, news);
  return 0;
}

/** An edit or a claim of the post at the same time conflicts with this, and is decided anew. */
async function tell({ db, transact }: Context, postId: string, news: MediaNews): Promise<void> {
  await transact(async (session) => {
    const [post] = await findPostsById(db, [postId], session);
    const after = post && withMediaNews(post, news);
    if (after) await replacePost(db, post, after, session);
  });
}
