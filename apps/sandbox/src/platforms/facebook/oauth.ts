import type { PretendApp } from '../../config.ts';
import type { Call } from '../../wire/call.ts';
import { Rejection, type Reply } from '../../wire/reply.ts';
import { grant, issueToken, tokenState, type Token } from '../../world/credentials.ts';
import { authorizeError, backToApp, consentPage, redirectUriAccepted } from '../../pages/consent-page.ts';
import { invalidParameter, noSuchObject, reject, sessionEnded } from '../graph/errors.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { requiredText, unknownNames } from '../graph/params.ts';
import { presentedToken, session } from '../graph/session.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { person } from '../graph/person.ts';
import { pagesOf } from './accounts.ts';
import { hosts, limits, scopes } from './limits.ts';

/** Facebook Login: it serves the Facebook apps and the Instagram apps of the Facebook-Login variant alike. */
export const oauthOperations: Operation[] = [
  { name: 'facebook.authorize', hosts: [hosts.web], method: 'GET', path: '/{v}/dialog/oauth', handle: authorize },
  ...(['GET', 'POST'] as const).flatMap((method) => [
    graphOperation('facebook', {
      name: 'facebook.exchange_long_lived_token',
      hosts: [hosts.graph],
      method,
      path: '/{v}/oauth/access_token',
      when: (call) => grantType(call) === 'fb_exchange_token',
      takes: ['grant_type', 'client_id', 'client_secret', 'fb_exchange_token'],
      handle: exchangeForLongToken,
    }),
    graphOperation('facebook', {
      name: 'facebook.exchange_code',
      hosts: [hosts.graph],
      method,
      path: '/{v}/oauth/access_token',
      takes: ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code'],
      handle: exchangeCode,
    }),
  ]),
  graphOperation('facebook', {
    name: 'facebook.debug_token',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/debug_token',
    takes: ['input_token'],
    handle: debugToken,
  }),
  graphOperation('facebook', {
    name: 'facebook.revoke_permissions',
    hosts: [hosts.graph],
    method: 'DELETE',
    path: '/{v}/{user}/permissions',
    takes: [],
    handle: revokePermissions,
  }),
];

const dialogParams = ['client_id', 'redirect_uri', 'response_type', 'state', 'scope', 'config_id', 'auth_type', 'display'];

function authorize(call: Call, { world, config }: Sandbox): Reply {
  const { query } = call;
  if (call.params['v'] === undefined) return authorizeError('Facebook', `The path ${call.path} names no version.`);
  const misspelt = unknownNames(query.keys(), dialogParams);
  if (misspelt.length > 0) return authorizeError('Facebook', `Unknown parameter ${misspelt.join(', ')}.`);
  const clientId = query.get('client_id') ?? '';
  const app = metaApp(config.apps, clientId);
  if (!app) return authorizeError('Facebook', `Invalid App ID: ${clientId}`);
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!redirectUriAccepted(app.redirect_uris, redirectUri)) {
    return authorizeError(
      'Facebook',
      'URL blocked: this redirect failed because the redirect URI is not white-listed in the app’s client OAuth settings.',
    );
  }
  if ((query.get('response_type') ?? 'code') !== 'code') return authorizeError('Facebook', 'The parameter response_type must be code.');
  const requested =
    query.has('config_id') && !query.has('scope') ? scopes : (query.get('scope') ?? 'public_profile').split(/[,\s]+/).filter(Boolean);
  const unknown = requested.filter((scope) => !scopes.includes(scope));
  if (unknown.length) return authorizeError('Facebook', `Invalid Scopes: ${unknown.join(', ')}.`);
  const state = query.get('state');
  if (call.consent.decision === null) return consentPage(call, 'Facebook', clientId, requested, pagesOf(world), 'All Pages');
  if (call.consent.decision === 'deny') {
    return backToApp(redirectUri, {
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
      state,
    });
  }
  const wanted = call.consent.accountId;
  const pages = pagesOf(world).filter((page) => wanted === null || page.id === wanted || page.linked_id === wanted);
  const given = grant(world, {
    client_id: clientId,
    account_ids: pages.flatMap((page) => (page.linked_id ? [page.id, page.linked_id] : [page.id])),
    scopes: [...new Set(['public_profile', ...requested])],
  });
  const code = issueToken(
    world,
    {
      platform: app.platform,
      kind: 'code',
      grant_id: given.id,
      account_id: null,
      expires_at: world.now() + limits.codeSeconds * 1000,
      redirect_uri: redirectUri,
    },
    'sbxfbc_',
  );
  return backToApp(redirectUri, { code: code.token, state });
}

function exchangeCode(call: GraphCall, { world, config }: Sandbox) {
  const { values } = call;
  const app = checkedApp(config.apps, values);
  const code = world.tokens.get(requiredText(values, 'code'));
  if (code?.kind !== 'code' || code.platform === 'x' || world.grants.get(code.grant_id)?.client_id !== app.client_id) {
    throw reject({ message: 'Invalid verification code format.', code: 100 });
  }
  if (code.used) throw reject({ message: 'This authorization code has been used.', code: 100, subcode: 36_009 });
  if (tokenState(world, code) !== 'valid') throw reject({ message: 'This authorization code has expired.', code: 100, subcode: 36_007 });
  if (requiredText(values, 'redirect_uri') !== code.redirect_uri) {
    throw reject({
      message:
        'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
      code: 100,
      subcode: 36_008,
    });
  }
  code.used = true;
  const token = issueUserToken(world, code, 'user', limits.shortTokenSeconds);
  return { access_token: token.token, token_type: 'bearer', expires_in: limits.shortTokenSeconds };
}

function exchangeForLongToken(call: GraphCall, sandbox: Sandbox) {
  const { values } = call;
  const app = checkedApp(sandbox.config.apps, values);
  const given = session({ ...call, headers: {} }, { ...values, access_token: requiredText(values, 'fb_exchange_token') }, sandbox, {
    proof: 'never',
  });
  if (given.app.client_id !== app.client_id || given.token.kind === 'page')
    throw invalidParameter('The token was not issued to this application');
  const token = issueUserToken(sandbox.world, given.token, 'long_user', limits.longTokenSeconds);
  return { access_token: token.token, token_type: 'bearer', expires_in: limits.longTokenSeconds };
}

function debugToken(call: GraphCall, sandbox: Sandbox) {
  const { world, config } = sandbox;
  if (!appOfToken(call, config.apps)) session(call, call.values, sandbox);
  const token = world.tokens.get(requiredText(call.values, 'input_token'));
  const state = tokenState(world, token);
  if (!token || token.platform === 'x') {
    return { data: { error: { code: 190, message: 'Invalid OAuth access token.' }, is_valid: false, scopes: [] } };
  }
  const given = world.grants.get(token.grant_id)!;
  return {
    data: {
      app_id: given.client_id,
      type: token.kind === 'page' ? 'PAGE' : 'USER',
      data_access_expires_at: Math.floor(token.created_at / 1000) + 90 * 24 * 3600,
      expires_at: token.expires_at === null ? 0 : Math.floor(token.expires_at / 1000),
      ...(state !== 'valid' && {
        error: { code: 190, message: 'Error validating access token', subcode: state === 'expired' ? 463 : 458 },
      }),
      is_valid: state === 'valid',
      issued_at: Math.floor(token.created_at / 1000),
      ...(token.account_id !== null && { profile_id: token.account_id }),
      scopes: given.scopes,
      user_id: person.id,
    },
  };
}

/** The person's permissions end, and with them every login of the app, whichever pages it was for. */
function revokePermissions(call: GraphCall, sandbox: Sandbox) {
  const { world, config } = sandbox;
  const app = appOfToken(call, config.apps) ?? sessionOfPerson(call, sandbox);
  const user = call.params['user'] ?? '';
  if (user !== person.id && user !== 'me') throw noSuchObject('DELETE', user);
  const granted = [...world.grants.values()].filter((one) => one.client_id === app.client_id && !one.revoked);
  if (granted.length === 0) throw new Rejection(sessionEnded('revoked'));
  for (const one of granted) one.revoked = true;
  world.touched();
  return { success: true };
}

function sessionOfPerson(call: GraphCall, sandbox: Sandbox): PretendApp {
  const { token, app } = session(call, call.values, sandbox);
  if (token.kind === 'page') throw invalidParameter('This method must be called with a user or an app access token');
  return app;
}

/** The app whose own token the caller has. */
const appOfToken = (call: GraphCall, apps: PretendApp[]): PretendApp | undefined =>
  apps.find(
    (app) =>
      app.platform !== 'x' && app.login === 'facebook' && presentedToken(call, call.values) === `${app.client_id}|${app.client_secret}`,
  );

function issueUserToken(world: Sandbox['world'], from: Token, kind: 'user' | 'long_user', seconds: number): Token {
  const fields = { platform: from.platform, kind, grant_id: from.grant_id, account_id: null, expires_at: world.now() + seconds * 1000 };
  return issueToken(world, fields, kind === 'user' ? 'sbxfbu_' : 'sbxfbl_');
}

function checkedApp(apps: PretendApp[], values: Record<string, unknown>): PretendApp {
  const app = metaApp(apps, requiredText(values, 'client_id'));
  if (!app) throw reject({ message: 'Error validating application. Cannot get application info due to a system error.', code: 101 });
  if (requiredText(values, 'client_secret') !== app.client_secret) throw reject({ message: 'Error validating client secret.', code: 1 });
  return app;
}

const metaApp = (apps: PretendApp[], clientId: string) =>
  apps.find(
    (app) => app.client_id === clientId && (app.platform === 'facebook' || app.platform === 'instagram') && app.login === 'facebook',
  );

function grantType(call: Call): string | null {
  const { body } = call;
  return call.query.get('grant_type') ?? (body.kind === 'form' || body.kind === 'multipart' ? (body.fields['grant_type'] ?? null) : null);
}
