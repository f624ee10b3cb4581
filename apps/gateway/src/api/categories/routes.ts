import { present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { category, categoryFromProto, createCategoryBody, updateCategoryBody } from './category.ts';
import { exampleCategory } from './category-example.ts';

const ofBusiness = { business_id: z.uuid() };
const oneCategory = { ...ofBusiness, category_id: z.string() };
const categories = { tag: 'Categories', scope: 'business', resource: 'category', query: {} } as const;
const collection = { ...categories, path: '/api/businesses/{business_id}/categories', params: ofBusiness } as const;
const single = { ...categories, path: '/api/businesses/{business_id}/categories/{category_id}', params: oneCategory } as const;

const listCategories = route({
  ...collection,
  method: 'get',
  operationId: 'list_categories',
  sdkMethod: 'categories.list',
  access: access.read,
  self: 'page',
  summary: 'List categories',
  description: 'Newest first.',
  query: { limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(category, 'CategoryPage'),
  status: 200,
  examples: { response: { items: [exampleCategory], next: null } },
  async handler({ content }, { query, call }) {
    const { categories, nextPageToken } = await content.listCategories({ pageSize: query.limit, pageToken: query.cursor }, { call });
    return { body: { items: categories.map(categoryFromProto), next: nextOf(nextPageToken) } };
  },
});

const createCategory = route({
  ...collection,
  method: 'post',
  operationId: 'create_category',
  sdkMethod: 'categories.create',
  access: access.write,
  idempotent: true,
  summary: 'Create a category',
  description: 'Names are unique in a business, case-insensitive. A name that is taken is rejected with `invalid_value`.',
  body: createCategoryBody,
  returns: category,
  status: 201,
  errors: ['invalid_value'],
  examples: { body: { name: 'Behind the counter' }, response: exampleCategory },
  async handler({ content }, { body, ids, call }) {
    const request = { operationId: ids.operationId, categoryId: ids.resourceId, name: body.name };
    const created = present((await content.createCategory(request, { call })).category);
    const location = `/api/businesses/${created.businessId}/categories/${created.id}`;
    return { body: categoryFromProto(created), location, revision: created.revision };
  },
});

const getCategory = route({
  ...single,
  method: 'get',
  operationId: 'get_category',
  sdkMethod: 'categories.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a category',
  returns: category,
  status: 200,
  examples: { response: exampleCategory },
  async handler({ content }, { params, call }) {
    const found = present((await content.getCategory({ categoryId: params.category_id }, { call })).category);
    return { body: categoryFromProto(found), revision: found.revision };
  },
});

const updateCategory = route({
  ...single,
  method: 'patch',
  operationId: 'update_category',
  sdkMethod: 'categories.update',
  access: access.write,
  self: 'resource',
  summary: 'Rename a category',
  body: updateCategoryBody,
  returns: category,
  status: 200,
  errors: ['invalid_value', 'invalid_request', 'precondition_failed'],
  examples: {
    body: { name: 'In the bakery' },
    response: { ...exampleCategory, name: 'In the bakery', updated_at: '2026-08-06T09:30:00.000Z' },
  },
  async handler({ content }, { params, body, ids, ifRevisions, call }) {
    const edit = { operationId: ids.operationId, categoryId: params.category_id, expectedRevisions: [...ifRevisions] };
    const updated = present((await content.updateCategory({ ...edit, name: body.name }, { call })).category);
    return { body: categoryFromProto(updated), revision: updated.revision };
  },
});

const deleteCategory = route({
  ...single,
  method: 'delete',
  operationId: 'delete_category',
  sdkMethod: 'categories.delete',
  access: access.write,
  summary: 'Delete a category',
  description: 'Its topics remain, without a category.',
  returns: deleted,
  status: 200,
  errors: ['precondition_failed'],
  async handler({ content }, { params, ids, ifRevisions, call }) {
    const request = { operationId: ids.operationId, categoryId: params.category_id, expectedRevisions: [...ifRevisions] };
    await content.deleteCategory(request, { call, timeoutMs: CLEAR_TIMEOUT_MS });
    return DELETED;
  },
});

export const categoryRoutes: readonly Route[] = [listCategories, createCategory, getCategory, updateCategory, deleteCategory];

/** Long, because all topics of the category are changed first. */
const CLEAR_TIMEOUT_MS = 60_000;
