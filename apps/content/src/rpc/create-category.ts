import { now } from '@fanfare/runtime';
import { nameKey } from '../categories/name-key.ts';
import { insertCategory, toCategory } from '../categories/store/categories.ts';
import type { Rpc } from './rpc.ts';

export const createCategory: Rpc<'createCategory'> =
  ({ db }) =>
  async ({ categoryId, name }, { metadata }) => {
    const at = now(metadata.organizationId);
    const document = await insertCategory(db, {
      _id: categoryId,
      organization_id: metadata.organizationId,
      business_id: metadata.businessId,
      created_at: at,
      updated_at: at,
      revision: 1,
      name,
      name_key: nameKey(name),
      deleted: false,
    });
    return { category: toCategory(document) };
  };
