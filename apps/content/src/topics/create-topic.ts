import type { CreateTopicRequest } from '@fanfare/contracts/content/topics';
import { isDuplicateKey } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import { lockCategory } from '../categories/store/categories.ts';
import type { Context } from '../context.ts';
import { findCreatedTopic, insertTopic, type TopicDocument } from './store/topics.ts';

/** Creates a topic. A repeated create returns the stored topic. */
export async function createTopic(
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  request: CreateTopicRequest,
  metadata: CallMetadata,
): Promise<TopicDocument> {
  const { topicId, categoryId } = request;
  const before = await findCreatedTopic(db, metadata, topicId);
  if (before) return before;

  const at = now(metadata.organizationId);
  const document = {
    _id: topicId,
    organization_id: metadata.organizationId,
    business_id: metadata.businessId,
    created_at: at,
    updated_at: at,
    revision: 1,
    title: request.title,
    body: request.body,
    enabled: request.enabled ?? true,
    category_id: categoryId ?? null,
    deleted: false,
  };
  try {
    if (categoryId === undefined) await insertTopic(db, document);
    else
      await transact(async (session) => {
        await lockCategory(db, metadata, categoryId, session);
        await insertTopic(db, document, session);
      });
  } catch (error) {
    const winner = isDuplicateKey(error) ? await findCreatedTopic(db, metadata, topicId) : null;
    if (!winner) throw error;
    return winner;
  }
  return document;
}
