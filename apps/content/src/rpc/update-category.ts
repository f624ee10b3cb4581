import { DomainError, notFound } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { nameKey } from '../categories/name-key.ts';
import { editCategory, toCategory } from '../categories/store/categories.ts';
import type { Rpc } from './rpc.ts';

export const updateCategory: Rpc<'updateCategory'> =
  ({ db }) =>
  async ({ categoryId, operationId, expectedRevisions, name }, { metadata }) => {
    if (name === undefined) throw new DomainError('invalid_request', 'Provide at least one field to update.');
    const edit = { operationId, expectedRevisions, at: now(metadata.organizationId) };
    const document = await editCategory(db, metadata, categoryId, { name, name_key: nameKey(name) }, edit);
    if (!document) throw notFound('category');
    return { category: toCategory(document) };
  };
