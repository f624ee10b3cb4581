import type { PlatformPost } from '@fanfare/connectors';
import type { Context } from '../context.ts';
import { withAccess } from '../live/access.ts';
import { readCallsOf, rulesOf } from '../live/rules-of.ts';
import type { PostDocument } from '../posts/store/posts.ts';
import { backgroundCall } from './background-call.ts';

interface PendingRead {
  readonly publishId: string;
  resolve(post: PlatformPost | undefined): void;
  reject(error: unknown): void;
}

/** Reads posts in the background. Posts of one account that are requested at the same time are read in as few calls as the platform allows. */
export function createPostReader(context: Context): (row: PostDocument) => Promise<PlatformPost | undefined> {
  const waiting = new Map<string, PendingRead[]>();

  async function flush(row: PostDocument): Promise<void> {
    const pending = waiting.get(row.integration_id) ?? [];
    waiting.delete(row.integration_id);
    const { postsPerCall } = rulesOf(row.platform);
    for (let at = 0; at < pending.length; at += postsPerCall) await readSome(row, pending.slice(at, at + postsPerCall));
  }

  async function readSome(row: PostDocument, some: readonly PendingRead[]): Promise<void> {
    try {
      const ids = [...new Set(some.map(({ publishId }) => publishId))];
      const mostCalls = readCallsOf(row.platform).posts(ids.length);
      const wanted = { integrationId: row.integration_id, isBackground: true, mostCalls, call: backgroundCall(row, `snapshot-${row._id}`) };
      const posts = await withAccess(context, wanted, ({ reading, call }) => reading.readPosts(call, ids));
      for (const { publishId, resolve } of some) resolve(posts.find((post) => post.publishId === publishId));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  return (row) =>
    new Promise((resolve, reject) => {
      const pending = { publishId: row.publish_id ?? '', resolve, reject };
      const others = waiting.get(row.integration_id);
      if (others) return void others.push(pending);
      waiting.set(row.integration_id, [pending]);
      setImmediate(() => void flush(row));
    });
}
