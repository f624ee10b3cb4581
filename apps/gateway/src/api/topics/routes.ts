import { present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { createTopicBody, topic, topicFromProto, updateTopicBody } from './topic.ts';
import { exampleTopic } from './topic-example.ts';

const ofBusiness = { business_id: z.uuid() };
const oneTopic = { ...ofBusiness, topic_id: z.uuid() };
const topics = { tag: 'Topics', scope: 'business', resource: 'topic', query: {} } as const;
const collection = { ...topics, path: '/api/businesses/{business_id}/topics', params: ofBusiness } as const;
const single = { ...topics, path: '/api/businesses/{business_id}/topics/{topic_id}', params: oneTopic } as const;

const listTopics = route({
  ...collection,
  method: 'get',
  operationId: 'list_topics',
  sdkMethod: 'topics.list',
  access: access.read,
  self: 'page',
  summary: 'List topics',
  description: 'Newest first.',
  query: { limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(topic, 'TopicPage'),
  status: 200,
  examples: { response: { items: [exampleTopic], next: null } },
  async handler({ content }, { query, call }) {
    const { topics, nextPageToken } = await content.listTopics({ pageSize: query.limit, pageToken: query.cursor }, { call });
    return { body: { items: topics.map(topicFromProto), next: nextOf(nextPageToken) } };
  },
});

const createTopic = route({
  ...collection,
  method: 'post',
  operationId: 'create_topic',
  sdkMethod: 'topics.create',
  access: access.write,
  idempotent: true,
  summary: 'Create a topic',
  body: createTopicBody,
  returns: topic,
  status: 201,
  errors: ['invalid_value'],
  examples: { body: { title: exampleTopic.title, body: exampleTopic.body, category_id: exampleTopic.category_id }, response: exampleTopic },
  async handler({ content }, { body, ids, call }) {
    const { title, enabled, category_id } = body;
    const given = { title, body: body.body ?? '', enabled, categoryId: category_id ?? undefined };
    const request = { operationId: ids.operationId, topicId: ids.resourceId, ...given };
    const created = present((await content.createTopic(request, { call })).topic);
    const location = `/api/businesses/${created.businessId}/topics/${created.id}`;
    return { body: topicFromProto(created), location, revision: created.revision };
  },
});

const getTopic = route({
  ...single,
  method: 'get',
  operationId: 'get_topic',
  sdkMethod: 'topics.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a topic',
  returns: topic,
  status: 200,
  examples: { response: exampleTopic },
  async handler({ content }, { params, call }) {
    const found = present((await content.getTopic({ topicId: params.topic_id }, { call })).topic);
    return { body: topicFromProto(found), revision: found.revision };
  },
});

const updateTopic = route({
  ...single,
  method: 'patch',
  operationId: 'update_topic',
  sdkMethod: 'topics.update',
  access: access.write,
  self: 'resource',
  summary: 'Update a topic',
  description: 'Changes only the fields you send. `category_id: null` removes the topic from its category.',
  body: updateTopicBody,
  returns: topic,
  status: 200,
  errors: ['invalid_value', 'invalid_request', 'precondition_failed'],
  examples: { body: { enabled: false }, response: { ...exampleTopic, enabled: false, updated_at: '2026-08-06T09:30:00.000Z' } },
  async handler({ content }, { params, body, ids, ifRevisions, call }) {
    const { category_id, ...given } = body;
    const edit = { operationId: ids.operationId, topicId: params.topic_id, expectedRevisions: [...ifRevisions] };
    const categoryId = category_id === null ? '' : category_id;
    const request = { ...edit, title: given.title, body: given.body, enabled: given.enabled, categoryId };
    const updated = present((await content.updateTopic(request, { call })).topic);
    return { body: topicFromProto(updated), revision: updated.revision };
  },
});

const deleteTopic = route({
  ...single,
  method: 'delete',
  operationId: 'delete_topic',
  sdkMethod: 'topics.delete',
  access: access.write,
  summary: 'Delete a topic',
  returns: deleted,
  status: 200,
  errors: ['precondition_failed'],
  async handler({ content }, { params, ids, ifRevisions, call }) {
    const request = { operationId: ids.operationId, topicId: params.topic_id, expectedRevisions: [...ifRevisions] };
    await content.deleteTopic(request, { call });
    return DELETED;
  },
});

export const topicRoutes: readonly Route[] = [listTopics, createTopic, getTopic, updateTopic, deleteTopic];
