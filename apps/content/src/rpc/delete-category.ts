import { notFound } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { clearCategory } from '../topics/clear-categories.ts';
import { editCategory } from '../categories/store/categories.ts';
import type { Rpc } from './rpc.ts';

export const deleteCategory: Rpc<'deleteCategory'> =
  (context) =>
  async ({ categoryId, operationId, expectedRevisions }, { metadata }) => {
    const edit = { operationId, expectedRevisions, at: now(metadata.organizationId) };
    const deleted = await editCategory(context.db, metadata, categoryId, { deleted: true, topics_cleared: false }, edit);
    if (!deleted) throw notFound('category');
    await clearCategory(context, deleted);
    return {};
  };
