import { present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { asRequest } from '../../http/request/parse-query.ts';
import { route, type Route } from '../../http/route.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { exampleDefinition, exampleTemplate } from './template-example.ts';
import { createTemplateBody, template, templateFromProto } from './template.ts';

const ofBusiness = { business_id: z.uuid() };
const templates = { tag: 'Templates', scope: 'business', resource: 'template' } as const;
const collection = { ...templates, path: '/api/businesses/{business_id}/templates', params: ofBusiness } as const;
const single = {
  ...templates,
  path: `${collection.path}/{template_id}`,
  params: { ...ofBusiness, template_id: z.string() },
  query: {},
} as const;

/** Templates do not change. */
const REVISION = 1;

const listTemplates = route({
  ...collection,
  method: 'get',
  operationId: 'list_templates',
  sdkMethod: 'templates.list',
  access: access.read,
  self: 'page',
  summary: 'List templates',
  description: 'Your own templates of the business, newest first; then the built-in templates.',
  query: {
    limit: limitParam(50),
    cursor: cursorParam(),
    format: asRequest(z.enum(['design', 'carousel', 'meme']).optional().meta({ description: 'Only templates with this format.' })),
  },
  returns: pageOf(template, 'TemplatePage'),
  status: 200,
  examples: { response: { items: [exampleTemplate], next: null } },
  async handler({ generation, urls }, { query, call }) {
    const request = { pageSize: query.limit, pageToken: query.cursor, format: query.format ?? '' };
    const found = await generation.listTemplates(request, { call });
    return { body: { items: found.templates.map((one) => templateFromProto(one, urls)), next: nextOf(found.nextPageToken) } };
  },
});

const createTemplate = route({
  ...collection,
  method: 'post',
  query: {},
  operationId: 'create_template',
  sdkMethod: 'templates.create',
  access: access.write,
  idempotent: true,
  summary: 'Create a template',
  description:
    'Stores a template of your own. A business can have at most 200. The error of a template that is not valid lists every problem, with the path of the member.',
  body: createTemplateBody,
  returns: template,
  status: 201,
  errors: ['conflict'],
  examples: {
    body: exampleDefinition,
    response: exampleTemplate,
  },
  async handler({ generation, urls }, { body, params, ids, call }) {
    const created = present((await generation.createTemplate({ templateId: ids.resourceId, definition: body }, { call })).template);
    const location = `/api/businesses/${params.business_id}/templates/${created.id}`;
    return { body: templateFromProto(created, urls), location, revision: REVISION };
  },
});

const getTemplate = route({
  ...single,
  method: 'get',
  operationId: 'get_template',
  sdkMethod: 'templates.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a template',
  returns: template,
  status: 200,
  examples: { response: exampleTemplate },
  async handler({ generation, urls }, { params, call }) {
    const found = present((await generation.getTemplate({ templateId: params.template_id }, { call })).template);
    return { body: templateFromProto(found, urls), revision: REVISION };
  },
});

const deleteTemplate = route({
  ...single,
  method: 'delete',
  operationId: 'delete_template',
  sdkMethod: 'templates.delete',
  access: access.write,
  summary: 'Delete a template',
  description: 'Only for templates of your own. Designs that use the template keep a copy.',
  returns: deleted,
  status: 200,
  async handler({ generation }, { params, ids, call }) {
    await generation.deleteTemplate({ operationId: ids.operationId, templateId: params.template_id }, { call });
    return DELETED;
  },
});

export const templateRoutes: readonly Route[] = [listTemplates, createTemplate, getTemplate, deleteTemplate];
