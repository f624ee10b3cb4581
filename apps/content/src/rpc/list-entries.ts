import { notFound } from '@fanfare/errors';
import { listEntriesOfPost, timelinePage, toEntry } from '@fanfare/ledger';
import { findPostEvenIfDeleted } from '../posts/store/posts.ts';
import type { Rpc } from './rpc.ts';

export const listEntries: Rpc<'listEntries'> =
  ({ db }) =>
  async (request, { metadata }) => {
    const { of, after, limit } = timelinePage(request, metadata);
    if (!(await findPostEvenIfDeleted(db, metadata, of.postId))) throw notFound('post');
    return { entries: (await listEntriesOfPost(db, of, after, limit)).map(toEntry) };
  };
