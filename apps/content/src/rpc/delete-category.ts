import { notFound } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { editCategory } from '../store/categories.ts';
import { clearCategory } from '../store/topics.ts';
import type { Rpc } from './rpc.ts';

/** In one transaction: no topic is ever seen in a category that is gone. */
export const deleteCategory: Rpc<'deleteCategory'> =
  ({ db, transact }) =>
  async ({ categoryId, operationId, expectedRevisions }, { metadata }) => {
    const edit = { operationId, expectedRevisions, at: now(metadata.organizationId) };
    await transact(async (session) => {
      if (!(await editCategory(db, metadata, categoryId, { deleted: true }, edit, session))) throw notFound('category');
      await clearCategory(db, metadata, categoryId, edit, session);
    });
    return {};
  };
