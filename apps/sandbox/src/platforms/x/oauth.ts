import { createHash } from 'node:crypto';
import type { PretendApp } from '../../config.ts';
import type { Call } from '../../wire/call.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { grant, issueToken, tokenState } from '../../world/credentials.ts';
import { authorizeError, backToApp, consentPage, redirectUriAccepted } from '../../pages/consent-page.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { fieldsOfApp } from './app-fields.ts';
import { oauthError } from './errors.ts';
import { hosts, limits, scopes } from './limits.ts';

/** OAuth 2.0 with PKCE; each refresh token works once. */
export const oauthOperations: Operation[] = [
  { name: 'x.authorize', hosts: [hosts.web, 'twitter.com'], method: 'GET', path: '/i/oauth2/authorize', handle: authorize },
  {
    name: 'x.refresh_token',
    hosts: [hosts.api],
    method: 'POST',
    path: '/2/oauth2/token',
    when: (call) => fieldsOf(call)['grant_type'] === 'refresh_token',
    handle: refresh,
  },
  { name: 'x.exchange_code', hosts: [hosts.api], method: 'POST', path: '/2/oauth2/token', handle: exchangeCode },
  { name: 'x.revoke_token', hosts: [hosts.api], method: 'POST', path: '/2/oauth2/revoke', handle: revoke },
];

function authorize(call: Call, { world, config }: Sandbox): Reply {
  const { query } = call;
  const fail = (why: string) => authorizeError('X', `You weren’t able to give access to the App. ${why}`);
  const clientId = query.get('client_id') ?? '';
  const app = config.apps.find((one) => one.platform === 'x' && one.client_id === clientId);
  if (!app) return fail('Unknown client_id.');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!redirectUriAccepted(app.redirect_uris, redirectUri)) return fail('Invalid redirect_uri.');
  if (query.get('response_type') !== 'code') return fail('response_type must be code.');
  const state = query.get('state') ?? '';
  if (!state || state.length > limits.stateCharacters) return fail('state must have 1 to 500 characters.');
  const challenge = query.get('code_challenge') ?? '';
  const method = query.get('code_challenge_method') ?? 'plain';
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge) || (method !== 'S256' && method !== 'plain'))
    return fail('code_challenge or its method is invalid.');
  const requested = (query.get('scope') ?? '').split(' ').filter(Boolean);
  if (requested.length === 0 || requested.some((scope) => !scopes.includes(scope))) return fail('Invalid scope.');
  const users = [...world.accounts.values()].filter((one) => one.platform === 'x');
  if (call.consent.decision === null) return consentPage(call, 'X', clientId, requested, users);
  const user = call.consent.accountId === null ? users[0] : users.find((one) => one.id === call.consent.accountId);
  if (call.consent.decision === 'deny' || !user) return backToApp(redirectUri, { error: 'access_denied', state });
  const given = grant(world, { client_id: clientId, account_ids: [user.id], scopes: requested });
  const code = issueToken(
    world,
    {
      platform: 'x',
      kind: 'code',
      grant_id: given.id,
      account_id: user.id,
      expires_at: world.now() + limits.codeSeconds * 1000,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: method,
    },
    'sbxxc_',
  );
  return backToApp(redirectUri, { state, code: code.token });
}

function exchangeCode(call: Call, { world, config }: Sandbox): Reply {
  const fields = fieldsOf(call);
  const app = authenticatedApp(call, config.apps);
  if (!('client_id' in app)) return app;
  if (fields['grant_type'] !== 'authorization_code') return oauthError(400, 'unsupported_grant_type', 'Missing or unsupported grant_type.');
  const invalid = oauthError(400, 'invalid_request', 'Value passed for the authorization code was invalid.');
  const code = world.tokens.get(fields['code'] ?? '');
  if (code?.kind !== 'code' || code.platform !== 'x' || code.used || tokenState(world, code) !== 'valid') return invalid;
  const given = world.grants.get(code.grant_id)!;
  if (given.client_id !== app.client_id) return invalid;
  if (fields['redirect_uri'] !== code.redirect_uri)
    return oauthError(400, 'invalid_request', 'Value passed for the redirect uri did not match the uri of the authorization code.');
  const verifier = fields['code_verifier'] ?? '';
  const challenge = code.code_challenge_method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  if (challenge !== code.code_challenge)
    return oauthError(400, 'invalid_request', 'Value passed for the code verifier did not match the code challenge.');
  code.used = true;
  return tokens(world, given.id, code.account_id!, given.scopes);
}

function refresh(call: Call, { world, config }: Sandbox): Reply {
  const app = authenticatedApp(call, config.apps);
  if (!('client_id' in app)) return app;
  const token = world.tokens.get(fieldsOf(call)['refresh_token'] ?? '');
  const given = token && world.grants.get(token.grant_id);
  if (token?.kind !== 'refresh' || token.used || tokenState(world, token) !== 'valid' || given?.client_id !== app.client_id) {
    return oauthError(400, 'invalid_request', 'Value passed for the token was invalid.');
  }
  token.used = true;
  return tokens(world, given.id, token.account_id!, given.scopes);
}

function revoke(call: Call, { world, config }: Sandbox): Reply {
  const app = authenticatedApp(call, config.apps);
  if (!('client_id' in app)) return app;
  const token = world.tokens.get(fieldsOf(call)['token'] ?? '');
  if (token && world.grants.get(token.grant_id)?.client_id === app.client_id) token.expires_at = world.now();
  world.touched();
  return json(200, { revoked: true });
}

function tokens(world: Sandbox['world'], grantId: string, userId: string, granted: string[]): Reply {
  const make = (kind: 'access' | 'refresh', seconds: number, prefix: string) =>
    issueToken(world, { platform: 'x', kind, grant_id: grantId, account_id: userId, expires_at: world.now() + seconds * 1000 }, prefix)
      .token;
  return json(200, {
    token_type: 'bearer',
    expires_in: limits.accessTokenSeconds,
    access_token: make('access', limits.accessTokenSeconds, 'sbxxa_'),
    scope: granted.join(' '),
    ...(granted.includes('offline.access') && { refresh_token: make('refresh', limits.refreshTokenSeconds, 'sbxxr_') }),
  });
}

/** A confidential client authenticates with Basic credentials; a public one only sends its id. */
function authenticatedApp(call: Call, apps: PretendApp[]): PretendApp | Reply {
  const basic = /^Basic (.+)$/i.exec(call.headers['authorization'] ?? '')?.[1];
  const [id, secret] = basic ? credentials(basic) : [];
  const clientId = id ?? fieldsOf(call)['client_id'];
  const app = apps.find((one) => one.platform === 'x' && one.client_id === clientId);
  if (!app) return oauthError(400, 'invalid_request', 'Value passed for the client id was invalid.');
  if (fieldsOfApp(app).confidential && secret !== app.client_secret)
    return oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
  const named = fieldsOf(call)['client_id'];
  if (named !== undefined && named !== app.client_id)
    return oauthError(400, 'invalid_request', 'Value passed for the client id was invalid.');
  return app;
}

/** Each half is form-encoded (RFC 6749, 2.3.1). */
function credentials(basic: string): string[] {
  return Buffer.from(basic, 'base64')
    .toString('utf8')
    .split(':')
    .map((half) => new URLSearchParams(`v=${half}`).get('v') ?? '');
}

const fieldsOf = ({ body }: Call): Record<string, string> => (body.kind === 'form' ? body.fields : {});
