import { createHash } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { isoTime, present } from '@fanfare/resources';
import { z } from 'zod';
import { access, checkActing } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { PAGE, problemsAsPages } from '../../http/html/or-page.ts';
import { wantsPage } from '../../http/html/wants-page.ts';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import { rawRoute, type RawExchange } from '../../http/raw-route.ts';
import { route, type Route } from '../../http/route.ts';
import { browserResult, unknownArrivalPage } from './browser-result.ts';
import {
  arrivedConnection,
  arrivedFromProto,
  begunConnection,
  chooseAccountsBody,
  connectBody,
  connection,
  connectionResult,
} from './connection.ts';
import { exampleArrival, exampleConnection, exampleIntegration } from './integration-example.ts';
import { checkReturnUrl } from './return-url.ts';
import { findConnectionStarter, saveConnectionStarter } from './store/connection-starters.ts';

/** Registered as the redirect URI with every platform. */
const CALLBACK = '/api/integrations/callback';
/** Includes reading the accounts of a login, which takes several calls to a platform. */
const FINISH_TIMEOUT_MS = 60_000;

const ofBusiness = { business_id: z.uuid() };
const connections = { tag: 'Integrations', scope: 'business', access: access.manage, query: {} } as const;
const START = '/api/businesses/{business_id}/integrations/connect';
const oneConnection = { ...ofBusiness, connection_id: z.string() };
const pathOf = (businessId: string, id: string) => `/api/businesses/${businessId}/integrations/connect/${id}`;

const connectIntegration = route({
  ...connections,
  method: 'post',
  path: START,
  params: ofBusiness,
  operationId: 'connect_integration',
  sdkMethod: 'integrations.connect',
  summary: 'Start connecting an account',
  description:
    'Open `authorize_url` in the browser of the person within ten minutes. When they return, read the connection at `Location`: it is `connected`, `failed`, or, if the login owns several accounts, `choosing`. In that case, choose among its `accounts` within ten minutes.',
  idempotent: true,
  body: connectBody,
  returns: begunConnection,
  status: 201,
  examples: {
    body: { platform: 'facebook', redirect_uri: 'https://app.example.com/accounts' },
    response: {
      id: EXAMPLE_IDS.connection_id,
      authorize_url: 'https://www.facebook.com/v25.0/dialog/oauth?client_id=1234&state=…',
      state: 'Zk3n…',
      expires_at: '2026-08-03T08:19:00.000Z',
    },
  },
  async handler({ db, publisher, urls, config }, { body, params, ids, call }) {
    const returnUrl = body.redirect_uri ?? undefined;
    if (returnUrl !== undefined) checkReturnUrl(config, returnUrl);
    const about = { platform: body.platform, login: body.login ?? undefined, integrationId: body.integration_id ?? undefined, returnUrl };
    const request = { ...about, connectionId: ids.resourceId, redirectUri: urls.api(CALLBACK) };
    const { authorizeUrl, state, expiresAt } = await publisher.beginConnection(request, { call });
    const { organizationId, actor } = call.metadata;
    await saveConnectionStarter(db, { state, organizationId, actor, expiresAt: present(expiresAt) });
    return {
      body: { id: ids.resourceId, authorize_url: authorizeUrl, state, expires_at: isoTime(expiresAt) },
      location: pathOf(params.business_id, ids.resourceId),
    };
  },
});

const getConnection = route({
  ...connections,
  method: 'get',
  path: `${START}/{connection_id}`,
  params: oneConnection,
  operationId: 'get_connection',
  sdkMethod: 'integrations.getConnection',
  summary: 'Get a connection attempt',
  description:
    'Returns the status and, while you have to choose, the available accounts. A connection attempt is deleted an hour after it ends.',
  self: 'resource',
  returns: connection,
  status: 200,
  examples: { response: exampleConnection },
  async handler({ publisher, urls }, { params, call }) {
    return connectionResult((await publisher.getConnection({ connectionId: params.connection_id }, { call })).connection, urls);
  },
});

const chooseAccounts = route({
  ...connections,
  method: 'post',
  path: `${START}/{connection_id}/accounts`,
  params: oneConnection,
  operationId: 'choose_accounts',
  sdkMethod: 'integrations.chooseAccounts',
  summary: 'Choose which accounts to connect',
  description:
    'Works once, while the connection is `choosing`. An account that is already connected gets the new access and keeps its id and settings.',
  idempotent: true,
  self: 'resource',
  body: chooseAccountsBody,
  returns: connection,
  status: 200,
  errors: ['conflict'],
  examples: {
    body: { account_ids: [exampleIntegration.account_id] },
    response: { ...exampleConnection, status: 'connected', accounts: [], integrations: [exampleIntegration] },
  },
  async handler({ publisher, urls }, { body, params, ids, call }) {
    const request = { operationId: ids.operationId, connectionId: params.connection_id, accountIds: body.account_ids };
    const { connection: chosen } = await publisher.chooseAccounts(request, { call });
    return { ...connectionResult(chosen, urls), location: pathOf(params.business_id, params.connection_id) };
  },
});

const arriveFromPlatform = rawRoute({
  method: 'get',
  path: CALLBACK,
  operationId: 'arrive_from_platform',
  summary: 'Return from a platform (OAuth callback)',
  description:
    "The redirect URI to register with every platform. API clients do not call it. It requires no credential: `state` identifies the connection and works once. For an hour, the same request returns the same result. Browsers are redirected to the connection's `redirect_uri` or see a page; requests for JSON get the result. The accounts can be read only with a credential, because the person who signs in may not be a member of the organization.",
  tag: 'Integrations',
  scope: 'none',
  access: access.manage,
  params: {},
  query: {
    state: z.string().max(200).optional(),
    code: z.string().max(2048).optional(),
    error: z.string().max(200).optional(),
    error_description: z.string().max(1000).optional(),
  },
  // Platforms may add parameters (RFC 6749, 4.1.2).
  anyQuery: true,
  begin: problemsAsPages,
  status: 200,
  errors: ['invalid_request', 'method_not_allowed'],
  openapi: {
    response: { 'application/json': { schema: arrivedConnection, example: exampleArrival }, ...PAGE },
    orRedirects: true,
  },
  async handler(context, exchange) {
    const isBrowser = wantsPage(exchange.request);
    try {
      const { publisher, config } = context;
      const brought = await asAllowed(context, arrivalOf(exchange));
      const finished = await publisher.finishConnection(brought, { call: exchange.call, timeoutMs: FINISH_TIMEOUT_MS });
      const arrived = present(finished.connection);
      const body = arrivedFromProto(arrived);
      return isBrowser ? { body, instead: browserResult(config, arrived) } : { body, headers: { 'Referrer-Policy': 'no-referrer' } };
    } catch (error) {
      if (!isBrowser || !(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
      return { body: exampleArrival, instead: unknownArrivalPage(context.config) };
    }
  },
});

export const connectionRoutes: readonly Route[] = [connectIntegration, getConnection, chooseAccounts, arriveFromPlatform];

type Arrival = {
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
};

/** The starter may have lost the right to connect accounts. Then no account is connected, even if the person granted access. */
async function asAllowed({ db, mongo }: Context, brought: ReturnType<typeof arrivalOf>): Promise<ReturnType<typeof arrivalOf>> {
  const starter = brought.code === '' ? null : await findConnectionStarter(db, brought.state);
  if (!starter) return brought;
  try {
    await transaction(mongo.client, (session) =>
      checkActing(db, { organizationId: starter.organization_id, actor: starter.actor }, session),
    );
    return brought;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const errorDescription = 'The user or API key that started this connection can no longer connect accounts.';
    return { ...brought, code: '', error: 'access_denied', errorDescription };
  }
}

/** @throws DomainError invalid_request, method_not_allowed */
function arrivalOf({ request, query }: RawExchange<unknown, Arrival>) {
  // A HEAD request, such as one for a link preview, must not use up the state.
  if (request.method !== 'GET') throw new DomainError('method_not_allowed', 'This path supports GET.');
  const { state = '', code = '', error = '', error_description: errorDescription = '' } = query;
  const missing = (param: string) =>
    new DomainError('invalid_request', 'The platform returned neither a code nor an error. Start connecting the account again.', { param });
  if (state === '') throw missing('state');
  if (code === '' && error === '') throw missing('code');
  // If the platform reports an error, a code next to it is ignored.
  const brought = { state, code: error === '' ? code : '', error, errorDescription };
  return { operationId: operationOf(brought), ...brought };
}

/** The same for the same parameters, so that reloading the page shows the result instead of an error about a used state. */
const operationOf = (brought: object) => createHash('sha256').update(JSON.stringify(brought)).digest('base64url');
