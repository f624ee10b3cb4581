import { DomainError } from '@fanfare/errors';
import { listPosts as list, shortenList } from '../store/post-lists.ts';
import { toPost } from '../store/posts.ts';
import type { Rpc } from './rpc.ts';
import { risksOfEach } from './show-post.ts';

export const listPosts: Rpc<'listPosts'> =
  ({ db }) =>
  async ({ scheduledFrom, scheduledTo, ...request }, { metadata }) => {
    if (scheduledFrom && scheduledTo && scheduledFrom > scheduledTo) {
      throw new DomainError('invalid_request', 'scheduled_to must not be before scheduled_from.', { param: 'scheduled_to' });
    }
    const { organizationId, businessId } = metadata;
    const query = { ...request, organizationId, businessId, scheduledFrom, scheduledTo };
    const page = await list(db, query);
    const risks = await risksOfEach(db, businessId, page.rows);
    const { rows, nextPageToken } = shortenList(page, query, risks);
    return { posts: rows.map((post, index) => toPost(post, risks[index] ?? [])), nextPageToken };
  };
