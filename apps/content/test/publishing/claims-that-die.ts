// Claims posts in a process of its own that is killed before or right after its transaction commits.
import { createLogger } from '@fanfare/runtime';
import { loadConfig } from '../../src/config.ts';
import { createContext } from '../../src/context.ts';
import { findPostsById } from '../../src/posts/store/posts.ts';
import { claimDuePosts } from '../../src/publishing/claim-due-posts.ts';

const { env, ids, dies } = JSON.parse(process.argv[2] ?? '') as { env: Record<string, string>; ids: string[]; dies: 'before' | 'after' };
const context = await createContext(loadConfig(env), createLogger('content', 'silent'));
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
};
const due = await context.transact((session) => findPostsById(context.db, ids, session));
const mortal: typeof context = {
  ...context,
  async transact(work) {
    await context.transact(async (session) => {
      await work(session);
      // MongoDB ends the transaction of a client that has disconnected only after a minute; the test ends it by the session id.
      await new Promise((resolve) => process.send?.(session.id?.id.toString('hex'), resolve));
      if (dies === 'before') await die();
    });
    return die();
  },
};
await claimDuePosts(
  mortal,
  due.map((post) => ({ ...post, bytes: 0 })),
);
