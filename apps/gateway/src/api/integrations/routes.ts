import { integrationFromProto, present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { optionsWithChoices } from '../platforms/platform-lists.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { connectionRoutes } from './connection-routes.ts';
import { integration, updateIntegrationBody } from './integration.ts';
import { exampleIntegration } from './integration-example.ts';
import { metaRoutes } from './meta-routes.ts';
import { reconnectable } from './reconnectable.ts';
import { REVOKING } from './revoking.ts';

const choice = z
  .object({
    value: z.string().meta({ description: 'The value to set the option to.' }),
    label: z.string().meta({ description: 'The name of the choice, to show to people.' }),
  })
  .meta({ id: 'Choice' });
const ofBusiness = { business_id: z.uuid() };
const oneIntegration = { ...ofBusiness, integration_id: z.uuid() };
const integrations = { tag: 'Integrations', scope: 'business', resource: 'integration', query: {} } as const;
const single = { ...integrations, path: '/api/businesses/{business_id}/integrations/{integration_id}', params: oneIntegration } as const;

const listIntegrations = route({
  ...integrations,
  method: 'get',
  path: '/api/businesses/{business_id}/integrations',
  params: ofBusiness,
  operationId: 'list_integrations',
  sdkMethod: 'integrations.list',
  summary: 'List connected accounts',
  description: 'Newest first, including disconnected accounts. The `id` of an item is the integration id.',
  access: access.read,
  self: 'page',
  query: { limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(integration, 'IntegrationPage'),
  status: 200,
  examples: { response: { items: [exampleIntegration], next: null } },
  async handler({ publisher, urls }, { query, call }) {
    const request = { pageSize: query.limit, pageToken: query.cursor };
    const { integrations, nextPageToken } = await publisher.listIntegrations(request, { call });
    return { body: { items: integrations.map((one) => integrationFromProto(one, urls)), next: nextOf(nextPageToken) } };
  },
});

const getIntegration = route({
  ...single,
  method: 'get',
  operationId: 'get_integration',
  sdkMethod: 'integrations.get',
  summary: 'Get a connected account',
  access: access.read,
  self: 'resource',
  returns: integration,
  status: 200,
  examples: { response: exampleIntegration },
  async handler({ publisher, urls }, { params, call }) {
    const found = present((await publisher.getIntegration({ integrationId: params.integration_id }, { call })).integration);
    return { body: integrationFromProto(found, urls), revision: found.revision };
  },
});

const updateIntegration = route({
  ...single,
  method: 'patch',
  operationId: 'update_integration',
  sdkMethod: 'integrations.update',
  summary: 'Change the settings of a connected account',
  description: 'The settings apply to posts that are published from now on.',
  access: access.write,
  self: 'resource',
  body: updateIntegrationBody,
  returns: integration,
  status: 200,
  errors: ['precondition_failed'],
  examples: {
    body: { settings: { reply_settings: 'following' } },
    response: { ...exampleIntegration, platform: 'x', page: null, settings: { reply_settings: 'following' } },
  },
  async handler({ publisher, urls }, { params, body, ids, ifRevisions, call }) {
    const edit = { operationId: ids.operationId, integrationId: params.integration_id, expectedRevisions: [...ifRevisions] };
    const updated = present((await publisher.updateIntegration({ ...edit, settings: body.settings }, { call })).integration);
    return { body: integrationFromProto(updated, urls), revision: updated.revision };
  },
});

const deleteIntegration = route({
  ...single,
  method: 'delete',
  operationId: 'delete_integration',
  duringDeletion: true,
  sdkMethod: 'integrations.delete',
  summary: 'Disconnect an account',
  description:
    `Erases our tokens at once and revokes the access at the platform, if the platform supports that. ${REVOKING} ` +
    'Deliveries to it that have not started fail with `permission_denied`. The integration stays readable as `disconnected`; reconnect the account to use it again.',
  access: access.manage,
  returns: deleted,
  status: 200,
  errors: ['precondition_failed'],
  async handler({ publisher }, { params, ids, ifRevisions, call }) {
    const edit = { operationId: ids.operationId, integrationId: params.integration_id, expectedRevisions: [...ifRevisions] };
    await publisher.disconnectIntegration(edit, { call });
    return DELETED;
  },
});

const refreshIntegration = route({
  ...integrations,
  method: 'post',
  path: '/api/businesses/{business_id}/integrations/{integration_id}/refresh',
  params: oneIntegration,
  operationId: 'refresh_integration',
  sdkMethod: 'integrations.refresh',
  summary: 'Refresh the access token of an account',
  description: 'Refreshes the tokens now. Fanfare does this automatically before they expire, so you do not have to call it.',
  access: access.write,
  self: 'resource',
  body: z.strictObject({}).meta({ id: 'RefreshIntegration' }),
  returns: integration,
  status: 200,
  errors: ['SOCIAL_TOKEN_EXPIRED', 'conflict', 'UPSTREAM_PROVIDER_ERROR'],
  examples: { body: {}, response: exampleIntegration },
  async handler({ publisher, urls }, { params, ids, call }) {
    const request = { operationId: ids.operationId, integrationId: params.integration_id };
    const responded = await reconnectable(urls, params, () =>
      publisher.refreshIntegration(request, { call, timeoutMs: PLATFORM_TIMEOUT_MS }),
    );
    const fresh = present(responded.integration);
    return { body: integrationFromProto(fresh, urls), revision: fresh.revision, location: pathOf(params) };
  },
});

const listChoices = route({
  ...integrations,
  method: 'get',
  path: '/api/businesses/{business_id}/integrations/{integration_id}/choices/{option}',
  params: {
    ...oneIntegration,
    option: z.string().max(100).meta({ description: 'The name of an option of this platform.', example: 'board_id' }),
  },
  operationId: 'list_choices',
  sdkMethod: 'integrations.choices',
  summary: 'List the values of an option',
  description: `Gets from the platform the values that this account can use, such as its boards for \`board_id\`. Options with such a list: ${optionsWithChoices()}.`,
  access: access.read,
  self: 'page',
  query: {
    board_id: z.string().max(200).optional().meta({ description: 'Required for `board_section_id`: the board of the sections.' }),
    cursor: cursorParam(),
  },
  returns: pageOf(choice, 'ChoicePage'),
  status: 200,
  errors: ['SOCIAL_TOKEN_EXPIRED', 'conflict', 'UPSTREAM_PROVIDER_ERROR'],
  examples: { response: { items: [{ value: '810200000000001007', label: 'Bread we love' }], next: null } },
  async handler({ publisher, urls }, { params, query, call }) {
    const { integration_id: integrationId, option } = params;
    const given = query.board_id === undefined ? {} : { board_id: query.board_id };
    const request = { integrationId, option, given, pageToken: query.cursor };
    const { choices, nextPageToken } = await reconnectable(urls, params, () =>
      publisher.listChoices(request, { call, timeoutMs: PLATFORM_TIMEOUT_MS }),
    );
    return { body: { items: choices, next: nextOf(nextPageToken) } };
  },
});

export const integrationRoutes: readonly Route[] = [
  listIntegrations,
  ...connectionRoutes,
  ...metaRoutes,
  getIntegration,
  updateIntegration,
  deleteIntegration,
  refreshIntegration,
  listChoices,
];

/** Includes calls to the platform. */
const PLATFORM_TIMEOUT_MS = 60_000;

const pathOf = (params: { business_id: string; integration_id: string }) =>
  `/api/businesses/${params.business_id}/integrations/${params.integration_id}`;
