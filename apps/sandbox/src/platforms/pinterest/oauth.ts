import type { PretendApp } from '../../config.ts';
import type { Call } from '../../wire/call.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { grant, issueToken, tokenState } from '../../world/credentials.ts';
import { authorizeError, backToApp, consentPage, redirectUriAccepted } from '../../pages/consent-page.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { authenticationFailed, invalidGrant } from './errors.ts';
import { hosts, limits, scopes } from './limits.ts';

/** OAuth 2.0 without PKCE; the app authenticates with Basic credentials, and each refresh replaces the refresh token. */
export const oauthOperations: Operation[] = [
  { name: 'pinterest.authorize', hosts: [hosts.web, 'pinterest.com'], method: 'GET', path: '/oauth', handle: authorize },
  {
    name: 'pinterest.refresh_token',
    hosts: [hosts.api],
    method: 'POST',
    path: '/v5/oauth/token',
    when: (call) => fieldsOf(call)['grant_type'] === 'refresh_token',
    handle: refresh,
  },
  { name: 'pinterest.exchange_code', hosts: [hosts.api], method: 'POST', path: '/v5/oauth/token', handle: exchangeCode },
];

function authorize(call: Call, { world, config }: Sandbox): Reply {
  const { query } = call;
  const fail = (why: string) => authorizeError('Pinterest', why);
  const clientId = query.get('client_id') ?? '';
  const app = config.apps.find((one) => one.platform === 'pinterest' && one.client_id === clientId);
  if (!app) return fail('Unknown client_id.');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!redirectUriAccepted(app.redirect_uris, redirectUri)) return fail('The redirect_uri is not registered for this app.');
  if (query.get('response_type') !== 'code') return fail('response_type must be code.');
  const requested = (query.get('scope') ?? '').split(',').filter(Boolean);
  const unknown = requested.find((scope) => !scopes.includes(scope));
  if (requested.length === 0 || unknown !== undefined) return fail(`Invalid scope: ${unknown ?? 'none was requested'}.`);
  const users = [...world.accounts.values()].filter((one) => one.platform === 'pinterest');
  if (call.consent.decision === null) return consentPage(call, 'Pinterest', clientId, requested, users);
  const state = query.get('state');
  const user = call.consent.accountId === null ? users[0] : users.find((one) => one.id === call.consent.accountId);
  if (call.consent.decision === 'deny' || !user) return backToApp(redirectUri, { error: 'access_denied', state });
  const given = grant(world, { client_id: clientId, account_ids: [user.id], scopes: requested });
  const code = issueToken(
    world,
    {
      platform: 'pinterest',
      kind: 'code',
      grant_id: given.id,
      account_id: user.id,
      expires_at: world.now() + limits.codeSeconds * 1000,
      redirect_uri: redirectUri,
    },
    'sbxpic_',
  );
  return backToApp(redirectUri, { code: code.token, state });
}

function exchangeCode(call: Call, { world, config }: Sandbox): Reply {
  const app = authenticatedApp(call, config.apps);
  if (!app) return authenticationFailed();
  const fields = fieldsOf(call);
  if (fields['grant_type'] !== 'authorization_code') return invalidGrant('The grant_type is not supported.');
  const code = world.tokens.get(fields['code'] ?? '');
  const given = code && world.grants.get(code.grant_id);
  const isGood = code?.kind === 'code' && code.platform === 'pinterest' && !code.used && tokenState(world, code) === 'valid';
  if (!code || !isGood || given?.client_id !== app.client_id) return invalidGrant('The authorization code is invalid or has expired.');
  if (fields['redirect_uri'] !== code.redirect_uri) return invalidGrant('The redirect_uri does not match that of the authorization.');
  code.used = true;
  return tokens(world, 'authorization_code', given.id, code.account_id!, given.scopes);
}

function refresh(call: Call, { world, config }: Sandbox): Reply {
  const app = authenticatedApp(call, config.apps);
  if (!app) return authenticationFailed();
  const token = world.tokens.get(fieldsOf(call)['refresh_token'] ?? '');
  const given = token && world.grants.get(token.grant_id);
  const isGood = token?.kind === 'refresh' && token.platform === 'pinterest' && !token.used && tokenState(world, token) === 'valid';
  if (!token || !isGood || given?.client_id !== app.client_id) return invalidGrant('The refresh token is invalid or has expired.');
  token.used = true;
  return tokens(world, 'refresh_token', given.id, token.account_id!, given.scopes);
}

function tokens(world: Sandbox['world'], grantType: string, grantId: string, userId: string, granted: string[]): Reply {
  const make = (kind: 'access' | 'refresh', seconds: number, prefix: string) => {
    const expires_at = world.now() + seconds * 1000;
    return issueToken(world, { platform: 'pinterest', kind, grant_id: grantId, account_id: userId, expires_at }, prefix).token;
  };
  return json(200, {
    access_token: make('access', limits.accessTokenSeconds, 'sbxpia_'),
    refresh_token: make('refresh', limits.refreshTokenSeconds, 'sbxpir_'),
    response_type: grantType,
    token_type: 'bearer',
    expires_in: limits.accessTokenSeconds,
    refresh_token_expires_in: limits.refreshTokenSeconds,
    refresh_token_expires_at: Math.floor(world.now() / 1000) + limits.refreshTokenSeconds,
    scope: granted.join(' '),
  });
}

function authenticatedApp(call: Call, apps: PretendApp[]): PretendApp | undefined {
  const basic = /^Basic (.+)$/i.exec(call.headers['authorization'] ?? '')?.[1] ?? '';
  const credentials = Buffer.from(basic, 'base64').toString('utf8');
  return apps.find((one) => one.platform === 'pinterest' && credentials === `${one.client_id}:${one.client_secret}`);
}

const fieldsOf = ({ body }: Call): Record<string, string> => (body.kind === 'form' ? body.fields : {});
