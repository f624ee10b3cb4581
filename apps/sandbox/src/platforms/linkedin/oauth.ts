import type { PretendApp } from '../../config.ts';
import type { Call } from '../../wire/call.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { grant, issueToken, tokenState, type Grant, type Token } from '../../world/credentials.ts';
import type { World } from '../../world/world.ts';
import { authorizeError, backToApp, consentPage, redirectUriAccepted } from '../../pages/consent-page.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { membersOf, organizationsOf } from './accounts.ts';
import { oauthError } from './errors.ts';
import { hosts, limits, scopes } from './limits.ts';

const token = { hosts: [hosts.web], method: 'POST' as const, path: '/oauth/v2/accessToken' };

/** OAuth 2.0 without PKCE, with the secret in the form. One login acts for the member and all of the member's pages. */
export const oauthOperations: Operation[] = [
  { name: 'linkedin.authorize', hosts: [hosts.web], method: 'GET', path: '/oauth/v2/authorization', handle: authorize },
  { ...token, name: 'linkedin.refresh_token', when: (call) => fieldsOf(call)['grant_type'] === 'refresh_token', handle: refresh },
  { ...token, name: 'linkedin.exchange_code', handle: exchangeCode },
  { name: 'linkedin.revoke_token', hosts: [hosts.web], method: 'POST', path: '/oauth/v2/revoke', handle: revoke },
];

function authorize(call: Call, { world, config }: Sandbox): Reply {
  const { query } = call;
  const fail = (why: string) => authorizeError('LinkedIn', `Bummer, something went wrong. ${why}`);
  const clientId = query.get('client_id') ?? '';
  const app = config.apps.find((one) => one.platform === 'linkedin' && one.client_id === clientId);
  if (!app) return fail('The passed in client_id is invalid.');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!redirectUriAccepted(app.redirect_uris, redirectUri)) return fail('The redirect_uri does not match the registered value.');
  const state = query.get('state');
  const rejected = (error: string, description: string) => backToApp(redirectUri, { error, error_description: description, state });
  if (query.get('response_type') !== 'code') return rejected('unsupported_response_type', 'response_type has to be code');
  const requested = (query.get('scope') ?? '').split(' ').filter(Boolean);
  const unknown = requested.find((scope) => !scopes.includes(scope));
  if (requested.length === 0 || unknown !== undefined)
    return rejected('unauthorized_scope_error', `Scope "${unknown ?? ''}" is not authorized for your application`);
  const [member] = membersOf(world);
  if (call.consent.decision === null)
    return consentPage(call, 'LinkedIn', clientId, requested, [...membersOf(world), ...organizationsOf(world)], 'The member and all pages');
  if (call.consent.decision === 'deny' || !member) return rejected('user_cancelled_authorize', 'The user cancelled the authorization');
  const wanted = call.consent.accountId;
  const pages = organizationsOf(world).filter(({ id }) => wanted === null || id === wanted);
  const given = grant(world, { client_id: clientId, account_ids: [member.id, ...pages.map(({ id }) => id)], scopes: requested });
  const code = issueToken(
    world,
    {
      platform: 'linkedin',
      kind: 'code',
      grant_id: given.id,
      account_id: member.id,
      expires_at: world.now() + limits.codeSeconds * 1000,
      redirect_uri: redirectUri,
    },
    'sbxlic_',
  );
  return backToApp(redirectUri, { code: code.token, state });
}

function exchangeCode(call: Call, { world, config }: Sandbox): Reply {
  const fields = fieldsOf(call);
  const app = authenticatedApp(fields, config.apps);
  if (!('client_id' in app)) return app;
  if (fields['grant_type'] !== 'authorization_code') return oauthError(400, 'unsupported_grant_type', 'The grant type is not supported');
  const code = world.tokens.get(fields['code'] ?? '');
  const given = code && world.grants.get(code.grant_id);
  const usable = code?.kind === 'code' && code.platform === 'linkedin' && !code.used && tokenState(world, code) === 'valid';
  if (!usable || given?.client_id !== app.client_id || fields['redirect_uri'] !== code.redirect_uri) {
    return oauthError(
      400,
      'invalid_request',
      'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.',
    );
  }
  code.used = true;
  // Only apps that were approved for pages get refresh tokens.
  const approved = given.scopes.some((scope) => scope.includes('organization'));
  const refreshToken = approved ? issue(world, code, 'refresh', limits.refreshTokenSeconds) : null;
  return tokens(world, code, given, refreshToken);
}

/** The refresh token and its expiry do not change. */
function refresh(call: Call, { world, config }: Sandbox): Reply {
  const fields = fieldsOf(call);
  const app = authenticatedApp(fields, config.apps);
  if (!('client_id' in app)) return app;
  const presented = world.tokens.get(fields['refresh_token'] ?? '');
  const given = presented && world.grants.get(presented.grant_id);
  const usable = presented?.kind === 'refresh' && presented.platform === 'linkedin' && tokenState(world, presented) === 'valid';
  if (!usable || given?.client_id !== app.client_id)
    return oauthError(400, 'invalid_grant', 'The provided authorization grant or refresh token is invalid, expired or revoked');
  return tokens(world, presented, given, presented);
}

function revoke(call: Call, { world, config }: Sandbox): Reply {
  const fields = fieldsOf(call);
  const app = authenticatedApp(fields, config.apps);
  if (!('client_id' in app)) return app;
  const presented = world.tokens.get(fields['token'] ?? '');
  const given = presented && world.grants.get(presented.grant_id);
  if (given?.client_id !== app.client_id || tokenState(world, presented) === 'unknown')
    return oauthError(400, 'invalid_request', 'The token is not valid');
  given.revoked = true;
  world.touched();
  return { status: 200, headers: {}, body: { kind: 'none' } };
}

function tokens(world: World, from: Token, given: Grant, refreshToken: Token | null): Reply {
  return json(200, {
    access_token: issue(world, from, 'access', limits.accessTokenSeconds).token,
    expires_in: limits.accessTokenSeconds,
    ...(refreshToken && {
      refresh_token: refreshToken.token,
      refresh_token_expires_in: Math.floor((refreshToken.expires_at! - world.now()) / 1000),
    }),
    scope: given.scopes.join(','),
    token_type: 'Bearer',
  });
}

function issue(world: World, from: Token, kind: 'access' | 'refresh', seconds: number): Token {
  const fields = { platform: from.platform, kind, grant_id: from.grant_id, account_id: from.account_id };
  return issueToken(world, { ...fields, expires_at: world.now() + seconds * 1000 }, kind === 'access' ? 'sbxlia_' : 'sbxlir_');
}

function authenticatedApp(fields: Record<string, string>, apps: PretendApp[]): PretendApp | Reply {
  const app = apps.find((one) => one.platform === 'linkedin' && one.client_id === fields['client_id']);
  return app && fields['client_secret'] === app.client_secret ? app : oauthError(401, 'invalid_client', 'Client authentication failed');
}

const fieldsOf = ({ body }: Call): Record<string, string> => (body.kind === 'form' ? body.fields : {});
