import { now } from '@fanfare/runtime';
import { lockCategory } from '../categories/store/categories.ts';
import { editTopic, toTopic } from '../topics/store/topics.ts';
import { changedTopicFields } from '../topics/topic-fields.ts';
import type { Rpc } from './rpc.ts';

export const updateTopic: Rpc<'updateTopic'> =
  ({ db, transact }) =>
  async (request, { metadata }) => {
    const { topicId, operationId, expectedRevisions } = request;
    const changes = changedTopicFields(request);
    const categoryId = changes.category_id;
    const edit = { operationId, expectedRevisions, at: now(metadata.organizationId) };
    if (!categoryId) return { topic: toTopic(await editTopic(db, metadata, topicId, changes, edit)) };
    return transact(async (session) => {
      await lockCategory(db, metadata, categoryId, session);
      return { topic: toTopic(await editTopic(db, metadata, topicId, changes, edit, session)) };
    });
  };
