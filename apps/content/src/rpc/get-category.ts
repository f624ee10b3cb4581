import { notFound } from '@fanfare/errors';
import { findCategory, toCategory } from '../categories/store/categories.ts';
import type { Rpc } from './rpc.ts';

export const getCategory: Rpc<'getCategory'> =
  ({ db }) =>
  async ({ categoryId }, { metadata }) => {
    const document = await findCategory(db, metadata, categoryId);
    if (!document) throw notFound('category');
    return { category: toCategory(document) };
  };
