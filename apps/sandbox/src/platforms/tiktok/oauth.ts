import { createHash } from 'node:crypto';
import type { PretendApp } from '../../config.ts';
import type { Call } from '../../wire/call.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { grant, issueToken, tokenState } from '../../world/credentials.ts';
import { authorizeError, backToApp, consentPage, redirectUriAccepted } from '../../pages/consent-page.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { oauthError } from './errors.ts';
import { hosts, limits, scopes } from './limits.ts';
import { appOf } from './tiktok-operation.ts';

const endsInSlash = (call: Call) => call.path.endsWith('/');

/** Login Kit for the web. A refresh invalidates the refresh token that was used. */
export const oauthOperations: Operation[] = [
  { name: 'tiktok.authorize', hosts: [hosts.web], method: 'GET', path: '/v2/auth/authorize', when: endsInSlash, handle: authorize },
  {
    name: 'tiktok.refresh_token',
    hosts: [hosts.api],
    method: 'POST',
    path: '/v2/oauth/token',
    when: (call) => endsInSlash(call) && fieldsOf(call)['grant_type'] === 'refresh_token',
    handle: refresh,
  },
  { name: 'tiktok.exchange_code', hosts: [hosts.api], method: 'POST', path: '/v2/oauth/token', when: endsInSlash, handle: exchangeCode },
  { name: 'tiktok.revoke_token', hosts: [hosts.api], method: 'POST', path: '/v2/oauth/revoke', when: endsInSlash, handle: revoke },
];

const authorizeQuery = ['client_key', 'scope', 'response_type', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'];

function authorize(call: Call, sandbox: Sandbox): Reply {
  const { world } = sandbox;
  const { query } = call;
  const fail = (why: string) => authorizeError('TikTok', `We couldn’t log in with TikTok. ${why}`);
  const app = appOf(sandbox, query.get('client_key'));
  if (!app) return fail('client_key');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!redirectUriAccepted(app.redirect_uris, redirectUri)) return fail('redirect_uri');
  if (query.get('response_type') !== 'code') return fail('response_type');
  const state = query.get('state') ?? '';
  if (!state) return fail('state');
  const unknown = [...query.keys()].find((name) => !authorizeQuery.includes(name));
  if (unknown !== undefined) return fail(unknown);
  const challenge = query.get('code_challenge');
  if (challenge !== null && query.get('code_challenge_method') !== 'S256') return fail('code_challenge_method');
  const requested = (query.get('scope') ?? '').split(',');
  if (requested.some((scope) => !scopes.includes(scope))) return fail('scope');
  const users = [...world.accounts.values()].filter((one) => one.platform === 'tiktok');
  if (call.consent.decision === null) return consentPage(call, 'TikTok', app.client_id, requested, users);
  const user = call.consent.accountId === null ? users[0] : users.find((one) => one.id === call.consent.accountId);
  if (call.consent.decision === 'deny' || !user) {
    return backToApp(redirectUri, { error: 'access_denied', error_description: 'The user denied the request', state });
  }
  const given = grant(world, { client_id: app.client_id, account_ids: [user.id], scopes: requested });
  const code = issueToken(
    world,
    {
      platform: 'tiktok',
      kind: 'code',
      grant_id: given.id,
      account_id: user.id,
      expires_at: world.now() + limits.codeSeconds * 1000,
      redirect_uri: redirectUri,
      ...(challenge !== null && { code_challenge: challenge }),
    },
    'sbxttc_',
  );
  return backToApp(redirectUri, { code: code.token, scopes: requested.join(','), state });
}

function exchangeCode(call: Call, sandbox: Sandbox): Reply {
  const { world } = sandbox;
  const fields = fieldsOf(call);
  const app = authenticatedApp(call, sandbox, ['code', 'redirect_uri', 'code_verifier']);
  if (!('client_id' in app)) return app;
  if (fields['grant_type'] !== 'authorization_code') return oauthError(400, 'unsupported_grant_type', 'The grant type is not supported.');
  const code = world.tokens.get(fields['code'] ?? '');
  const given = code && world.grants.get(code.grant_id);
  const isGood = code?.kind === 'code' && code.platform === 'tiktok' && !code.used && tokenState(world, code) === 'valid';
  if (!isGood || given?.client_id !== app.client_id) return oauthError(400, 'invalid_grant', 'Authorization code is expired.');
  if (fields['redirect_uri'] !== code.redirect_uri) {
    return oauthError(400, 'invalid_request', 'Redirect_uri is not matched with the uri when requesting code.');
  }
  if (code.code_challenge !== undefined && hexDigest(fields['code_verifier'] ?? '') !== code.code_challenge) {
    return oauthError(400, 'invalid_request', 'Code verifier or code challenge is invalid.');
  }
  code.used = true;
  return tokens(world, given.id, code.account_id!, given.scopes);
}

/** TikTok's challenges are hexadecimal, unlike all others. */
const hexDigest = (verifier: string) => createHash('sha256').update(verifier).digest('hex');

function refresh(call: Call, sandbox: Sandbox): Reply {
  const { world } = sandbox;
  const app = authenticatedApp(call, sandbox, ['refresh_token']);
  if (!('client_id' in app)) return app;
  const token = world.tokens.get(fieldsOf(call)['refresh_token'] ?? '');
  const given = token && world.grants.get(token.grant_id);
  const isGood = token?.kind === 'refresh' && token.platform === 'tiktok' && !token.used && tokenState(world, token) === 'valid';
  if (!isGood || given?.client_id !== app.client_id) return oauthError(400, 'invalid_grant', 'Refresh token is invalid or expired.');
  token.used = true;
  return tokens(world, given.id, token.account_id!, given.scopes);
}

/** Ends the whole grant: the app is no longer among those that the user connected. */
function revoke(call: Call, sandbox: Sandbox): Reply {
  const { world } = sandbox;
  const app = authenticatedApp(call, sandbox, ['token']);
  if (!('client_id' in app)) return app;
  const token = world.tokens.get(fieldsOf(call)['token'] ?? '');
  const given = token && world.grants.get(token.grant_id);
  if (token?.kind !== 'access' || given?.client_id !== app.client_id || given.revoked) {
    return oauthError(400, 'invalid_grant', 'Access token is invalid or expired.');
  }
  given.revoked = true;
  world.touched();
  return json(200, {});
}

function tokens(world: Sandbox['world'], grantId: string, userId: string, granted: string[]): Reply {
  const make = (kind: 'access' | 'refresh', seconds: number, prefix: string) =>
    issueToken(world, { platform: 'tiktok', kind, grant_id: grantId, account_id: userId, expires_at: world.now() + seconds * 1000 }, prefix)
      .token;
  return json(200, {
    open_id: userId,
    scope: granted.join(','),
    access_token: make('access', limits.accessTokenSeconds, 'sbxtta_'),
    expires_in: limits.accessTokenSeconds,
    refresh_token: make('refresh', limits.refreshTokenSeconds, 'sbxttr_'),
    refresh_expires_in: limits.refreshTokenSeconds,
    token_type: 'Bearer',
  });
}

/** Id and secret are in the form, with TikTok's own names. */
function authenticatedApp(call: Call, sandbox: Sandbox, more: readonly string[]): PretendApp | Reply {
  if (call.body.kind !== 'form') {
    return oauthError(400, 'invalid_request', 'Only `application/x-www-form-urlencoded` is accepted as Content-Type.');
  }
  const fields = fieldsOf(call);
  const known = ['client_key', 'client_secret', 'grant_type', ...more];
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) return oauthError(400, 'invalid_request', `The request parameter ${unknown} is unknown.`);
  const app = appOf(sandbox, fields['client_key']);
  if (!app || fields['client_secret'] !== app.client_secret) {
    return oauthError(401, 'invalid_client', 'Client key or secret is incorrect.');
  }
  return app;
}

const fieldsOf = ({ body }: Call): Record<string, string> => (body.kind === 'form' ? body.fields : {});
