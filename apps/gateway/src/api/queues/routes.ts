import { postFromProto, present, queueFromProto } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { exampleQueuedPost } from '../posts/post-example.ts';
import { post } from '../posts/post.ts';
import { postsParam } from './deleted-queue-posts.ts';
import { exampleQueue, exampleSuggestion } from './queue-example.ts';
import { createQueueBody, queue, queueResult, toCreateQueueRequest, toUpdateQueueRequest, updateQueueBody } from './queue.ts';
import { slotSuggestion, suggestionFrom, suggestSlotsBody } from './slot-suggestion.ts';

const ofBusiness = { business_id: z.uuid() };
const oneQueue = { ...ofBusiness, queue_id: z.string() };
const queues = { tag: 'Queues', scope: 'business', query: {} } as const;
const PATH = '/api/businesses/{business_id}/queues';
const collection = { ...queues, resource: 'queue', path: PATH, params: ofBusiness } as const;
const single = { ...queues, resource: 'queue', path: `${PATH}/{queue_id}`, params: oneQueue } as const;

const listQueues = route({
  ...collection,
  method: 'get',
  operationId: 'list_queues',
  sdkMethod: 'queues.list',
  access: access.read,
  self: 'page',
  summary: 'List queues',
  description: 'Newest first.',
  query: { limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(queue, 'QueuePage'),
  status: 200,
  examples: { response: { items: [exampleQueue], next: null } },
  async handler({ content }, { query, call }) {
    const { queues, nextPageToken } = await content.listQueues({ pageSize: query.limit, pageToken: query.cursor }, { call });
    return { body: { items: queues.map(queueFromProto), next: nextOf(nextPageToken) } };
  },
});

const createQueue = route({
  ...collection,
  method: 'post',
  operationId: 'create_queue',
  sdkMethod: 'queues.create',
  access: access.write,
  idempotent: true,
  summary: 'Create a queue',
  description:
    'At each of its slots, the first post of the queue is published. Put posts into it with `queue_post`, or with `queue_id` when you create them. A business can have 100 queues.',
  body: createQueueBody,
  returns: queue,
  status: 201,
  errors: ['invalid_value', 'invalid_request'],
  examples: {
    body: { name: 'Weekdays', slots: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], time: '09:00' }], timezone: 'Europe/Berlin' },
    response: { ...exampleQueue, post_count: 0, next_publish_time: null },
  },
  async handler({ content }, { body, ids, call }) {
    const request = toCreateQueueRequest(body, { operationId: ids.operationId, queueId: ids.resourceId });
    return queueResult((await content.createQueue(request, { call })).queue);
  },
});

const getQueue = route({
  ...single,
  method: 'get',
  operationId: 'get_queue',
  sdkMethod: 'queues.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a queue',
  returns: queue,
  status: 200,
  examples: { response: exampleQueue },
  async handler({ content }, { params, call }) {
    return queueResult((await content.getQueue({ queueId: params.queue_id }, { call })).queue);
  },
});

const updateQueue = route({
  ...single,
  method: 'patch',
  operationId: 'update_queue',
  sdkMethod: 'queues.update',
  access: access.write,
  self: 'resource',
  summary: 'Update a queue',
  description:
    'Changes only the fields you send. The posts stay in their order. New slots, another time zone or a pause change their estimated times.',
  body: updateQueueBody,
  returns: queue,
  status: 200,
  errors: ['invalid_value', 'invalid_request', 'precondition_failed'],
  examples: { body: { paused: true }, response: { ...exampleQueue, paused: true, next_publish_time: null } },
  async handler({ content }, { params, body, ids, ifRevisions, call }) {
    const edit = { operationId: ids.operationId, queueId: params.queue_id, expectedRevisions: [...ifRevisions] };
    return queueResult((await content.updateQueue(toUpdateQueueRequest(body, edit), { call })).queue);
  },
});

const deleteQueue = route({
  ...single,
  method: 'delete',
  operationId: 'delete_queue',
  sdkMethod: 'queues.delete',
  access: access.write,
  summary: 'Delete a queue',
  description:
    'If the queue has posts, `posts` must say what happens to them. If it is the default queue, the oldest other queue becomes the default queue.',
  query: { posts: postsParam() },
  returns: deleted,
  status: 200,
  errors: ['invalid_value', 'invalid_request', 'precondition_failed'],
  async handler({ content }, { params, query, ids, ifRevisions, call }) {
    const edit = { operationId: ids.operationId, queueId: params.queue_id, expectedRevisions: [...ifRevisions] };
    const { posts, moveToQueueId } = query.posts ?? { posts: 'POSTS_OF_DELETED_QUEUE_UNSPECIFIED', moveToQueueId: '' };
    await content.deleteQueue({ ...edit, posts, moveToQueueId }, { call, timeoutMs: EMPTY_TIMEOUT_MS });
    return DELETED;
  },
});

const listQueuePosts = route({
  ...queues,
  resource: 'post',
  path: `${PATH}/{queue_id}/posts`,
  params: oneQueue,
  method: 'get',
  operationId: 'list_queue_posts',
  sdkMethod: 'queues.posts',
  access: access.read,
  self: 'page',
  summary: 'List the posts of a queue',
  description:
    'The posts are in the order in which they will be published; `estimated_publish_time` is the time if the queue does not change. The next page begins after the last post of this page, even if that post has moved since.',
  query: { limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(post, 'QueuePostPage'),
  status: 200,
  examples: { response: { items: [exampleQueuedPost], next: null } },
  async handler({ content, urls }, { params, query, call }) {
    const request = { queueId: params.queue_id, pageSize: query.limit, pageToken: query.cursor };
    const { posts, nextPageToken } = await content.listQueuePosts(request, { call });
    return { body: { items: posts.map((one) => postFromProto(one, urls)), next: nextOf(nextPageToken) } };
  },
});

const suggestSlots = route({
  ...queues,
  path: `${PATH}/{queue_id}/suggest-slots`,
  params: oneQueue,
  method: 'post',
  operationId: 'suggest_slots',
  sdkMethod: 'queues.suggestSlots',
  access: access.read,
  summary: 'Suggest slots',
  description:
    "Returns slots at the hours in which the business's own posts received the most engagements, in the time zone of the queue. See `get_best_times`. Nothing is changed.",
  body: suggestSlotsBody,
  returns: slotSuggestion,
  status: 200,
  examples: { body: { count: 3 }, response: exampleSuggestion },
  async handler({ content, analytics }, { params, body, call }) {
    const { timezone, restrictPublishTo } = present((await content.getQueue({ queueId: params.queue_id }, { call })).queue);
    const [only] = restrictPublishTo.length === 1 ? restrictPublishTo : [];
    const times = await analytics.getBestTimes({ timeZone: timezone, platform: body.platform ?? only ?? '' }, { call });
    return { body: suggestionFrom(times, timezone, body.count) };
  },
});

export const queueRoutes: readonly Route[] = [listQueues, createQueue, getQueue, updateQueue, deleteQueue, listQueuePosts, suggestSlots];

/** Long, because all posts of the queue are changed first. */
const EMPTY_TIMEOUT_MS = 60_000;
