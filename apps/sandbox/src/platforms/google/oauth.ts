import { createHash } from 'node:crypto';
import type { PretendApp } from '../../config.ts';
import type { Call } from '../../wire/call.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { grant, issueToken, tokenState, type Grant } from '../../world/credentials.ts';
import type { World } from '../../world/world.ts';
import { backToApp, consentPage } from '../../pages/consent-page.ts';
import type { Operation, Sandbox } from '../platform.ts';
import type { PlatformName } from '../platform-name.ts';
import { authorizeProblem, chosenAccounts, type Product } from './authorize.ts';
import { oauthError } from './errors.ts';
import { hosts, limits } from './limits.ts';

/**
 * Google's consent page, token endpoint and revocation, for the apps of one product. Several products share these hosts: each handles its
 * own apps and tokens, and the first in the lookup order handles those that belong to none.
 */
export function oauthOperations(product: Product): Operation[] {
  const { platform } = product;
  const ours = (call: Call, { config, world }: Sandbox) => {
    const owner = ownerOf(call, config.apps, world);
    return owner === null || owner === platform;
  };
  const token = { hosts: [hosts.oauth], method: 'POST' as const, path: '/token' };
  return [
    {
      name: `${platform}.authorize`,
      hosts: [hosts.accounts],
      method: 'GET',
      path: '/o/oauth2/v2/auth',
      when: ours,
      handle: (call, sandbox) => authorize(call, sandbox, product),
    },
    {
      ...token,
      name: `${platform}.refresh_token`,
      when: (call, sandbox) => fieldsOf(call)['grant_type'] === 'refresh_token' && ours(call, sandbox),
      handle: (call, sandbox) => refresh(call, sandbox, platform),
    },
    { ...token, name: `${platform}.exchange_code`, when: ours, handle: (call, sandbox) => exchangeCode(call, sandbox, platform) },
    { name: `${platform}.revoke_token`, hosts: [hosts.oauth], method: 'POST', path: '/revoke', when: ours, handle: revoke },
  ];
}

function authorize(call: Call, { world, config }: Sandbox, product: Product): Reply {
  const { query } = call;
  const app = config.apps.find((one) => one.platform === product.platform && one.client_id === query.get('client_id'));
  const problem = authorizeProblem(call, app, product);
  if (problem || !app) return problem!;
  const redirectUri = query.get('redirect_uri')!;
  const state = query.get('state');
  const requested = query.get('scope')!.split(' ').filter(Boolean);
  if (call.consent.decision === null) {
    return consentPage(call, product.title, app.client_id, requested, product.accountsOf(world), product.all);
  }
  const accounts = chosenAccounts(call, world, product);
  if (call.consent.decision === 'deny' || accounts.length === 0) return backToApp(redirectUri, { error: 'access_denied', state });
  const account_ids = accounts.map(({ id }) => id);
  const prompted = (query.get('prompt') ?? '').split(' ').includes('consent');
  // A person who has allowed the app before gets no new refresh token, unless consent is requested again.
  const known = [...world.grants.values()].some(
    (one) => !one.revoked && one.client_id === app.client_id && one.account_ids.some((id) => account_ids.includes(id)),
  );
  const given = grant(world, { client_id: app.client_id, account_ids, scopes: requested });
  const offline = query.get('access_type') === 'offline' && (prompted || !known);
  world.table<{ offline: boolean }>('google.grants').set(given.id, { offline });
  const challenge = query.get('code_challenge');
  const code = issueToken(
    world,
    {
      platform: product.platform,
      kind: 'code',
      grant_id: given.id,
      account_id: null,
      expires_at: world.now() + limits.codeSeconds * 1000,
      redirect_uri: redirectUri,
      ...(challenge !== null && { code_challenge: challenge, code_challenge_method: query.get('code_challenge_method') ?? 'plain' }),
    },
    'sbxggc_',
  );
  return backToApp(redirectUri, { state, code: code.token, scope: requested.join(' ') });
}

function exchangeCode(call: Call, { world, config }: Sandbox, platform: PlatformName): Reply {
  const fields = fieldsOf(call);
  const app = authenticatedApp(call, config.apps, platform);
  if (!('client_id' in app)) return app;
  if (fields['grant_type'] !== 'authorization_code')
    return oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${fields['grant_type'] ?? ''}`);
  if (!fields['code']) return oauthError(400, 'invalid_request', 'Missing required parameter: code');
  const code = world.tokens.get(fields['code']);
  const given = code && world.grants.get(code.grant_id);
  if (code?.kind !== 'code' || given?.client_id !== app.client_id) return oauthError(400, 'invalid_grant', 'Malformed auth code.');
  if (code.used || tokenState(world, code) !== 'valid') return oauthError(400, 'invalid_grant', 'Bad Request');
  if (fields['redirect_uri'] !== code.redirect_uri) return oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
  if (code.code_challenge !== undefined) {
    const verifier = fields['code_verifier'];
    if (!verifier) return oauthError(400, 'invalid_grant', 'Missing code verifier.');
    const challenge = code.code_challenge_method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
    if (challenge !== code.code_challenge) return oauthError(400, 'invalid_grant', 'Invalid code verifier.');
  }
  code.used = true;
  const { offline } = world.table<{ offline: boolean }>('google.grants').get(given.id) ?? { offline: false };
  const refreshToken = offline
    ? issueToken(
        world,
        { platform, kind: 'refresh', grant_id: given.id, account_id: null, expires_at: world.now() + limits.refreshIdleSeconds * 1000 },
        'sbxggr_',
      ).token
    : null;
  return tokens(world, platform, given, refreshToken);
}

function refresh(call: Call, { world, config }: Sandbox, platform: PlatformName): Reply {
  const app = authenticatedApp(call, config.apps, platform);
  if (!('client_id' in app)) return app;
  const presented = fieldsOf(call)['refresh_token'];
  if (!presented) return oauthError(400, 'invalid_request', 'Missing required parameter: refresh_token');
  const token = world.tokens.get(presented);
  const given = token && world.grants.get(token.grant_id);
  if (token?.kind !== 'refresh' || given?.client_id !== app.client_id) return oauthError(400, 'invalid_grant', 'Bad Request');
  if (tokenState(world, token) !== 'valid') return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
  token.expires_at = world.now() + limits.refreshIdleSeconds * 1000;
  return tokens(world, platform, given, null);
}

/** Revoking any of its tokens ends the whole grant. */
function revoke(call: Call, { world }: Sandbox): Reply {
  const token = world.tokens.get(tokenOf(call));
  if (!token || token.kind === 'code' || tokenState(world, token) !== 'valid')
    return oauthError(400, 'invalid_token', 'Token expired or revoked');
  world.grants.get(token.grant_id)!.revoked = true;
  world.touched();
  return json(200, {});
}

function tokens(world: World, platform: PlatformName, given: Grant, refreshToken: string | null): Reply {
  const expires_at = world.now() + limits.accessTokenSeconds * 1000;
  const access = issueToken(world, { platform, kind: 'access', grant_id: given.id, account_id: null, expires_at }, 'sbxgga_');
  return json(200, {
    access_token: access.token,
    expires_in: limits.accessTokenSeconds,
    ...(refreshToken !== null && { refresh_token: refreshToken }),
    scope: given.scopes.join(' '),
    token_type: 'Bearer',
    ...(given.scopes.includes('openid') && { id_token: idToken(world, given) }),
  });
}

/** Each account has its own person here; if one consent covers several accounts, the person is that of the first. */
function idToken(world: World, { client_id, account_ids }: Grant): string {
  const sub = BigInt(
    `0x${createHash('sha256')
      .update(account_ids[0] ?? '')
      .digest('hex')
      .slice(0, 16)}`,
  ).toString();
  const seconds = Math.floor(world.now() / 1000);
  const claims = { iss: 'https://accounts.google.com', azp: client_id, aud: client_id, sub, iat: seconds, exp: seconds + 3600 };
  const [header, payload] = [{ alg: 'RS256', kid: 'sandbox', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${header}.${payload}.${createHash('sha256').update(`${header}.${payload}`).digest('base64url')}`;
}

/** Authenticated by `client_id` and `client_secret` in the body, or by Basic credentials. */
function authenticatedApp(call: Call, apps: PretendApp[], platform: PlatformName): PretendApp | Reply {
  const fields = fieldsOf(call);
  const basic = /^Basic (.+)$/i.exec(call.headers['authorization'] ?? '')?.[1];
  const [id, secret] = basic ? Buffer.from(basic, 'base64').toString('utf8').split(':') : [fields['client_id'], fields['client_secret']];
  if (!id) return oauthError(400, 'invalid_request', 'Could not determine client ID from request.');
  const app = apps.find((one) => one.platform === platform && one.client_id === id);
  if (!app) return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  if (secret === undefined) return oauthError(400, 'invalid_request', 'client_secret is missing.');
  return secret === app.client_secret ? app : oauthError(401, 'invalid_client', 'Unauthorized');
}

/** The product of a call's app or token; null if it belongs to none. */
function ownerOf(call: Call, apps: PretendApp[], world: World): PlatformName | null {
  const basic = /^Basic (.+)$/i.exec(call.headers['authorization'] ?? '')?.[1];
  const fromBasic = basic && Buffer.from(basic, 'base64').toString('utf8').split(':')[0];
  const clientId = call.query.get('client_id') ?? fromBasic ?? fieldsOf(call)['client_id'];
  return apps.find((one) => one.client_id === clientId)?.platform ?? world.tokens.get(tokenOf(call))?.platform ?? null;
}

const tokenOf = (call: Call): string => fieldsOf(call)['token'] ?? call.query.get('token') ?? '';

const fieldsOf = ({ body }: Call): Record<string, string> => (body.kind === 'form' ? body.fields : {});
