import type { PretendApp } from '../../config.ts';
import type { Call } from '../../wire/call.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { grant, issueToken, tokenState } from '../../world/credentials.ts';
import { authorizeError, backToApp, consentPage, redirectUriAccepted } from '../../pages/consent-page.ts';
import { invalidParameter, reject } from '../graph/errors.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { requiredText, unknownNames } from '../graph/params.ts';
import { session } from '../graph/session.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { hosts, limits, scopes } from './limits.ts';

/** Instagram Login: authorize → short token → long token → refreshed long token. */
export const oauthOperations: Operation[] = [
  { name: 'instagram.authorize', hosts: [hosts.web], method: 'GET', path: '/oauth/authorize', handle: authorize },
  { name: 'instagram.exchange_code', hosts: [hosts.api], method: 'POST', path: '/oauth/access_token', handle: exchangeCode },
  graphOperation('instagram', {
    name: 'instagram.exchange_long_lived_token',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/access_token',
    versionless: true,
    takes: ['grant_type', 'client_secret'],
    handle: exchangeForLongToken,
  }),
  graphOperation('instagram', {
    name: 'instagram.refresh_token',
    hosts: [hosts.graph],
    method: 'GET',
    path: '/{v}/refresh_access_token',
    versionless: true,
    takes: ['grant_type'],
    handle: refreshToken,
  }),
];

const dialogParams = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'];
const exchangeParams = ['client_id', 'client_secret', 'grant_type', 'redirect_uri', 'code'];

function authorize(call: Call, { world, config }: Sandbox): Reply {
  const { query } = call;
  const misspelt = unknownNames(query.keys(), dialogParams);
  if (misspelt.length > 0) return authorizeError('Instagram', `Unknown parameter ${misspelt.join(', ')}`);
  const clientId = query.get('client_id') ?? '';
  const app = loginApp(config.apps, clientId);
  if (!app) return authorizeError('Instagram', 'Invalid platform app');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!redirectUriAccepted(app.redirect_uris, redirectUri)) return authorizeError('Instagram', 'Invalid redirect_uri');
  if (query.get('response_type') !== 'code') return authorizeError('Instagram', 'Invalid response_type');
  const requested = (query.get('scope') ?? '').split(/[,\s]+/).filter(Boolean);
  if (requested.length === 0 || requested.some((scope) => !scopes.includes(scope))) return authorizeError('Instagram', 'Invalid scope');
  const state = query.get('state');
  const accounts = [...world.accounts.values()].filter((one) => one.platform === 'instagram');
  if (call.consent.decision === null) return consentPage(call, 'Instagram', clientId, requested, accounts);
  const account = call.consent.accountId === null ? accounts[0] : accounts.find((one) => one.id === call.consent.accountId);
  if (call.consent.decision === 'deny' || !account) {
    return backToApp(redirectUri, {
      error: 'access_denied',
      error_reason: 'user_denied',
      error_description: 'The user denied your request',
      state,
    });
  }
  const given = grant(world, { client_id: clientId, account_ids: [account.id], scopes: requested });
  const expiresAt = world.now() + limits.codeSeconds * 1000;
  const code = issueToken(
    world,
    { platform: 'instagram', kind: 'code', grant_id: given.id, account_id: account.id, expires_at: expiresAt, redirect_uri: redirectUri },
    'sbxigc_',
  );
  return backToApp(redirectUri, { code: code.token, state });
}

/** Only this endpoint has its own error format. */
function exchangeCode(call: Call, { world, config }: Sandbox): Reply {
  const { body } = call;
  const fields = body.kind === 'form' || body.kind === 'multipart' ? body.fields : {};
  const misspelt = unknownNames([...call.query.keys(), ...Object.keys(fields)], exchangeParams);
  if (misspelt.length > 0) return oauthError(`Unknown parameter ${misspelt.join(', ')}`);
  const app = loginApp(config.apps, fields['client_id']);
  if (!app) return oauthError('Invalid platform app');
  if (fields['client_secret'] !== app.client_secret) return oauthError('Error validating client secret.');
  if (fields['grant_type'] !== 'authorization_code') return oauthError('Invalid grant_type');
  const code = world.tokens.get((fields['code'] ?? '').replace(/#_$/, ''));
  if (code?.kind !== 'code' || code.platform !== 'instagram' || world.grants.get(code.grant_id)?.client_id !== app.client_id)
    return oauthError('Invalid authorization code');
  if (code.used) return oauthError('This authorization code has been used');
  if (tokenState(world, code) !== 'valid') return oauthError('This authorization code has expired');
  if (fields['redirect_uri'] !== code.redirect_uri)
    return oauthError(
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
    );
  code.used = true;
  const expiresAt = world.now() + limits.shortTokenSeconds * 1000;
  const token = issueToken(
    world,
    { platform: 'instagram', kind: 'user', grant_id: code.grant_id, account_id: code.account_id, expires_at: expiresAt },
    'sbxigs_',
  );
  return json(200, { access_token: token.token, user_id: code.account_id, permissions: world.grants.get(code.grant_id)!.scopes });
}

function exchangeForLongToken(call: GraphCall, sandbox: Sandbox) {
  const { values } = call;
  if (requiredText(values, 'grant_type') !== 'ig_exchange_token') throw invalidParameter('Invalid grant_type');
  const given = session(call, values, sandbox);
  if (requiredText(values, 'client_secret') !== given.app.client_secret)
    throw reject({ message: 'Error validating client secret.', code: 1 });
  if (given.token.kind !== 'user' || given.token.account_id === null)
    throw invalidParameter('The token is not a short-lived Instagram user token');
  return longToken(sandbox, given.token.grant_id, given.token.account_id, given.grant.scopes);
}

function refreshToken(call: GraphCall, sandbox: Sandbox) {
  const { values } = call;
  if (requiredText(values, 'grant_type') !== 'ig_refresh_token') throw invalidParameter('Invalid grant_type');
  const { token, grant: given } = session(call, values, sandbox);
  if (token.kind !== 'long_user' || token.account_id === null) throw invalidParameter('The token is not a long-lived Instagram user token');
  if (token.created_at > sandbox.world.now() - limits.refreshableAfterMs)
    throw invalidParameter('The token has to be at least 24 hours old');
  return longToken(sandbox, token.grant_id, token.account_id, given.scopes);
}

function longToken({ world }: Sandbox, grantId: string, accountId: string, granted: string[]) {
  const expiresAt = world.now() + limits.longTokenSeconds * 1000;
  const token = issueToken(
    world,
    { platform: 'instagram', kind: 'long_user', grant_id: grantId, account_id: accountId, expires_at: expiresAt },
    'sbxigl_',
  );
  return { access_token: token.token, token_type: 'bearer', expires_in: limits.longTokenSeconds, permissions: granted.join(',') };
}

/** Facebook Login apps are unknown here, and Instagram Login apps there. */
const loginApp = (apps: PretendApp[], clientId: string | undefined) =>
  apps.find((one) => one.platform === 'instagram' && one.login === 'instagram' && one.client_id === clientId);

const oauthError = (message: string): Reply => json(400, { error_type: 'OAuthException', code: 400, error_message: message });
