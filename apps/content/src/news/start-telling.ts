import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { News, newsRows } from './store/news-rows.ts';

/** How long posts may show what was true before. One index seek. */
const IDLE_MS = 1_000;
const BATCH = 100;

/** Tells posts of news, a batch at a time. Replicas may run it at once: what a post has heard changes it no more. */
export function startTelling<Row extends News>(
  { db, log }: Context,
  options: {
    readonly name: string;
    readonly rows: ReturnType<typeof newsRows<Row>>;
    /** Posts that are to hear the news, in the order of their ids. */
    readonly findPosts: (news: Row, afterId: string, limit: number) => Promise<string[]>;
    readonly tell: (news: Row, postId: string) => Promise<void>;
  },
): Loop {
  const { name, rows, findPosts, tell } = options;
  return startLoop({
    name,
    log,
    async run() {
      const news = await rows.findDue(db);
      if (!news) return IDLE_MS;
      const ids = await findPosts(news, news.told_to ?? '', BATCH);
      for (const id of ids) await tell(news, id);
      const last = ids.at(-1);
      if (last !== undefined && ids.length === BATCH) await rows.noteProgress(db, news, last);
      else await rows.complete(db, news);
      return 0;
    },
  });
}
