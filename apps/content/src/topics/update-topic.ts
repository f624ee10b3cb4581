import type { UpdateTopicRequest } from '@fanfare/contracts/content/topics';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import { lockCategory } from '../categories/store/categories.ts';
import type { Context } from '../context.ts';
import { editTopic, type TopicDocument } from './store/topics.ts';
import { changedTopicFields } from './topic-fields.ts';

/** Changes a topic. Its new category, if it gets one, cannot be deleted at the same time. */
export async function updateTopic(
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  request: UpdateTopicRequest,
  metadata: CallMetadata,
): Promise<TopicDocument> {
  const { topicId, operationId, expectedRevisions } = request;
  const changes = changedTopicFields(request);
  const categoryId = changes.category_id;
  const edit = { operationId, expectedRevisions, at: now(metadata.organizationId) };
  if (!categoryId) return editTopic(db, metadata, topicId, changes, edit);
  return transact(async (session) => {
    await lockCategory(db, metadata, categoryId, session);
    return editTopic(db, metadata, topicId, changes, edit, session);
  });
}
