import { DomainError } from '@fanfare/errors';
import { listPosts as list } from '../store/post-lists.ts';
import { toPost } from '../store/posts.ts';
import type { Rpc } from './rpc.ts';

export const listPosts: Rpc<'listPosts'> =
  ({ db }) =>
  async ({ scheduledFrom, scheduledTo, ...request }, { metadata }) => {
    if (scheduledFrom && scheduledTo && scheduledFrom > scheduledTo) {
      throw new DomainError('invalid_request', 'scheduled_to must not be before scheduled_from.', { param: 'scheduled_to' });
    }
    const { organizationId, businessId } = metadata;
    const { rows, nextPageToken } = await list(db, { ...request, organizationId, businessId, scheduledFrom, scheduledTo });
    return { posts: rows.map(toPost), nextPageToken };
  };
