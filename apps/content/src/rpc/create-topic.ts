import { isDuplicateKey } from '@fanfare/mongo';
import { now } from '@fanfare/runtime';
import { lockCategory } from '../categories/store/categories.ts';
import { findCreatedTopic, insertTopic, toTopic } from '../topics/store/topics.ts';
import type { Rpc } from './rpc.ts';

export const createTopic: Rpc<'createTopic'> =
  ({ db, transact }) =>
  async (request, { metadata }) => {
    const { topicId, categoryId } = request;
    const before = await findCreatedTopic(db, metadata, topicId);
    if (before) return { topic: toTopic(before) };

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
      return { topic: toTopic(winner) };
    }
    return { topic: toTopic(document) };
  };
