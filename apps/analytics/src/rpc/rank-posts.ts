import { now } from '@fanfare/runtime';
import { dayIn, rangeOf } from '../live/days.ts';
import { rankPosts as rank } from '../reports/rank-posts.ts';
import type { Rpc } from './rpc.ts';

export const rankPosts: Rpc<'rankPosts'> =
  ({ db }) =>
  async (request, { metadata }) => {
    const today = dayIn(now(metadata.organizationId), 'UTC');
    return { posts: await rank(db, metadata, rangeOf(request, today, today), request) };
  };
