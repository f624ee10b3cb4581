import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { createCategory, deleteCategory, getCategory, listCategories, updateCategory } from '../gen/sdk.gen.ts';
import type { CreateCategory, ListCategoriesData, UpdateCategory } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const categories = ({ plain, once, edit }: Caller) => ({
  list: (business_id: string, query: ListCategoriesData['query'] = {}, options?: CallOptions) =>
    listing((cursor) =>
      answered(listCategories({ ...plain(options), path: { business_id }, query: { ...query, ...(cursor && { cursor }) } })),
    ),
  get: (business_id: string, category_id: string, options?: CallOptions) =>
    answered(getCategory({ ...plain(options), path: { business_id, category_id } })),
  create: (business_id: string, body: CreateCategory, options?: OnceOptions) =>
    answered(createCategory({ ...once(options), path: { business_id }, body })),
  update: (business_id: string, category_id: string, body: UpdateCategory, options?: EditOptions) =>
    answered(updateCategory({ ...edit(options), path: { business_id, category_id }, body })),
  delete: (business_id: string, category_id: string, options?: EditOptions) =>
    answered(deleteCategory({ ...edit(options), path: { business_id, category_id } })),
});
