import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { readTimeline } from './read-timeline.ts';
import { entryFromProto, exampleEntries, timelineEntry } from './timeline-entry.ts';

const getTimeline = route({
  method: 'get',
  path: '/api/businesses/{business_id}/posts/{post_id}/timeline',
  operationId: 'list_timeline',
  sdkMethod: 'posts.timeline',
  tag: 'Posts',
  access: access.read,
  scope: 'business',
  self: 'page',
  summary: 'Read the timeline of a post',
  description:
    'Who did what to the post and when, oldest first: every change, and every step of its way to each account, with the responses of the platforms. Entries cannot be changed: each contains a hash of the one before it. They are kept for 400 days, unless the operator sets another time, even if the post is deleted. Entries of different accounts that happened at the same time may be in any order. While a post is being published, an entry may appear that is some milliseconds older than the last one you have read. Therefore read the whole timeline again when publishing has ended.',
  params: { business_id: z.uuid(), post_id: z.string() },
  query: { limit: limitParam(50), cursor: cursorParam() },
  returns: pageOf(timelineEntry, 'TimelinePage'),
  status: 200,
  examples: { response: { items: [...exampleEntries], next: null } },
  async handler({ content, publisher }, { params, query, call }) {
    const { entries, nextPageToken } = await readTimeline([content, publisher], { postId: params.post_id, ...query }, call);
    return { body: { items: entries.map(entryFromProto), next: nextOf(nextPageToken) } };
  },
});

export const timelineRoutes: readonly Route[] = [getTimeline];
