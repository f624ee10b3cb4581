import type { UpdateTopicRequest } from '@fanfare/contracts/content/topics';
import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { holdCategory } from '../categories/store/categories.ts';
import { editTopic, toTopic, type TopicFields } from '../topics/store/topics.ts';
import type { Rpc } from './rpc.ts';

export const updateTopic: Rpc<'updateTopic'> =
  ({ db, transact }) =>
  async (request, { metadata }) => {
    const { topicId, operationId, expectedRevisions } = request;
    const changes = changesOf(request);
    const categoryId = changes.category_id;
    const edit = { operationId, expectedRevisions, at: now(metadata.organizationId) };
    if (!categoryId) return { topic: toTopic(await editTopic(db, metadata, topicId, changes, edit)) };
    return transact(async (session) => {
      await holdCategory(db, metadata, categoryId, session);
      return { topic: toTopic(await editTopic(db, metadata, topicId, changes, edit, session)) };
    });
  };

function changesOf({ title, body, enabled, categoryId }: UpdateTopicRequest): Partial<TopicFields> {
  const changes: Partial<TopicFields> = {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(categoryId === undefined ? {} : { category_id: categoryId === '' ? null : categoryId }),
  };
  if (Object.keys(changes).length === 0) throw new DomainError('invalid_request', 'Nothing is given that could be changed.');
  return changes;
}
