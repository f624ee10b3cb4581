import { currentMs, watchAge, type AgeWatch } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { findDuePosts } from '../posts/store/posts.ts';

/** Watches how long the oldest due post has been waiting to be claimed. */
export const watchDuePosts = ({ config, db, log }: Context): AgeWatch =>
  watchAge({
    name: 'due-posts-age',
    metric: {
      name: 'fanfare_oldest_due_post_seconds',
      help: 'Time since the oldest due post that is not claimed yet was due; 0 if there is none.',
    },
    log,
    lateAfterMs: config.lateAfterMs,
    async measure() {
      const [oldest] = await findDuePosts(db, {}, 1);
      return oldest?.next_due_at && { what: 'the oldest due post has been waiting', ageMs: currentMs() - oldest.next_due_at.getTime() };
    },
  });
