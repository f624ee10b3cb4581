import { present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { exampleDesign } from './design-example.ts';
import {
  createDesignBody,
  design,
  designFromProto,
  mediaFromProto,
  pagesToProto,
  renderDesignBody,
  renderings,
  updateDesignBody,
} from './design.ts';

const ofBusiness = { business_id: z.uuid() };
const designs = { tag: 'Designs', scope: 'business', resource: 'design', query: {} } as const;
const collection = { ...designs, path: '/api/businesses/{business_id}/designs', params: ofBusiness } as const;
const single = { ...designs, path: `${collection.path}/{design_id}`, params: { ...ofBusiness, design_id: z.uuid() } } as const;

/** Up to ten pages are rendered and stored during the request. */
const RENDER_TIMEOUT_MS = 30_000;

const listOf = (items: readonly string[] | undefined) => items && { items: [...items] };

const listDesigns = route({
  ...collection,
  method: 'get',
  operationId: 'list_designs',
  sdkMethod: 'designs.list',
  access: access.read,
  self: 'page',
  summary: 'List designs',
  description: 'Newest first.',
  query: { limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(design, 'DesignPageOfList'),
  status: 200,
  examples: { response: { items: [exampleDesign], next: null } },
  async handler({ generation }, { query, call }) {
    const found = await generation.listDesigns({ pageSize: query.limit, pageToken: query.cursor }, { call });
    return { body: { items: found.designs.map(designFromProto), next: nextOf(found.nextPageToken) } };
  },
});

const createDesign = route({
  ...collection,
  method: 'post',
  operationId: 'create_design',
  sdkMethod: 'designs.create',
  access: access.write,
  idempotent: true,
  summary: 'Create a design',
  description:
    'Renders a template with your texts and images in the colors and fonts of the business, and stores the images in the library. Texts shrink to fit, and their contrast is at least 4.5 with any palette.',
  body: createDesignBody,
  returns: design,
  status: 201,
  errors: ['invalid_value', 'conflict'],
  examples: {
    body: {
      template_id: exampleDesign.template_id,
      aspect_ratio: '4:5',
      pages: [{ texts: { quote: 'Bread is patience.', author: 'Our baker' } }],
    },
    response: exampleDesign,
  },
  async handler({ generation }, { body, ids, call }) {
    const request = {
      designId: ids.resourceId,
      name: body.name ?? '',
      templateId: body.template_id,
      aspectRatio: body.aspect_ratio ?? '',
      pages: pagesToProto(body.pages),
      palette: listOf(body.palette),
      fonts: listOf(body.fonts),
      logoMediaId: body.logo_media_id === null ? '' : body.logo_media_id,
    };
    const created = present((await generation.createDesign(request, { call, timeoutMs: RENDER_TIMEOUT_MS })).design);
    const location = `/api/businesses/${created.businessId}/designs/${created.id}`;
    return { body: designFromProto(created), location, revision: created.revision };
  },
});

const getDesign = route({
  ...single,
  method: 'get',
  operationId: 'get_design',
  sdkMethod: 'designs.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a design',
  returns: design,
  status: 200,
  examples: { response: exampleDesign },
  async handler({ generation }, { params, call }) {
    const found = present((await generation.getDesign({ designId: params.design_id }, { call })).design);
    return { body: designFromProto(found), revision: found.revision };
  },
});

const updateDesign = route({
  ...single,
  method: 'patch',
  operationId: 'update_design',
  sdkMethod: 'designs.update',
  access: access.write,
  self: 'resource',
  summary: 'Update a design',
  description:
    'Changes only the fields you send, and renders the design again. Posts that use it get the new images, unless they are already published. `pages` are replaced as a whole.',
  body: updateDesignBody,
  returns: design,
  status: 200,
  errors: ['invalid_value', 'invalid_request', 'conflict', 'precondition_failed'],
  examples: {
    body: { palette: ['#2f5d50'] },
    response: { ...exampleDesign, palette: ['#2f5d50'], updated_at: '2026-08-06T09:35:00.000Z' },
  },
  async handler({ generation }, { params, body, ids, ifRevisions, call }) {
    const request = {
      operationId: ids.operationId,
      designId: params.design_id,
      expectedRevisions: [...ifRevisions],
      name: body.name,
      templateId: body.template_id,
      aspectRatio: body.aspect_ratio,
      pages: body.pages && { items: pagesToProto(body.pages) },
      palette: listOf(body.palette),
      fonts: listOf(body.fonts),
      logoMediaId: body.logo_media_id === null ? '' : body.logo_media_id,
    };
    const updated = present((await generation.updateDesign(request, { call, timeoutMs: RENDER_TIMEOUT_MS })).design);
    return { body: designFromProto(updated), revision: updated.revision };
  },
});

const deleteDesign = route({
  ...single,
  method: 'delete',
  operationId: 'delete_design',
  sdkMethod: 'designs.delete',
  access: access.write,
  summary: 'Delete a design',
  description: 'Posts that use it keep their images.',
  returns: deleted,
  status: 200,
  errors: ['precondition_failed'],
  async handler({ generation }, { params, ids, ifRevisions, call }) {
    const request = { operationId: ids.operationId, designId: params.design_id, expectedRevisions: [...ifRevisions] };
    await generation.deleteDesign(request, { call });
    return DELETED;
  },
});

const renderDesign = route({
  tag: designs.tag,
  scope: designs.scope,
  query: {},
  method: 'post',
  path: `${single.path}/render`,
  params: single.params,
  operationId: 'render_design',
  sdkMethod: 'designs.render',
  access: access.write,
  idempotent: true,
  summary: 'Render a design',
  description:
    'Renders the design in another aspect ratio or file format, and stores the images in the library. The design does not change.',
  body: renderDesignBody,
  returns: renderings,
  status: 200,
  errors: ['invalid_value', 'conflict'],
  examples: { body: { aspect_ratio: '9:16', file_format: 'jpeg' }, response: { media: exampleDesign.media } },
  async handler({ generation }, { params, body, ids, call }) {
    const request = {
      renderId: ids.resourceId,
      designId: params.design_id,
      aspectRatio: body.aspect_ratio ?? '',
      fileFormat: body.file_format,
    };
    const { media } = await generation.renderDesign(request, { call, timeoutMs: RENDER_TIMEOUT_MS });
    return { body: { media: media.map(mediaFromProto) } };
  },
});

export const designRoutes: readonly Route[] = [listDesigns, createDesign, getDesign, updateDesign, deleteDesign, renderDesign];
