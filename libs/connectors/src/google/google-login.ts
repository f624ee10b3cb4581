import { authorizeUrl } from '../authorize-url.ts';
import type { OAuth, OAuthApp, Tokens } from '../connector.ts';
import { PlatformFailure } from '../failure.ts';
import { at, checkObjectOrNothing, stringAt } from '../fields.ts';
import type { PlatformHttp } from '../http.ts';
import { requestTokens } from '../token-endpoint.ts';
import { googleFailure } from './google-failure.ts';
import { AUTHORIZE_URL, REVOKE_URL, TOKEN_URL } from './limits.ts';

/**
 * Google's consent page (platform reference 7.1). Only `access_type=offline` with `prompt=consent` brings a refresh token each time: without the
 * prompt a person who has granted access before gives none.
 */
export function loginUrl(scopes: readonly string[]): OAuth['authorizeUrl'] {
  return (app, { redirectUri, state, codeChallenge }) =>
    authorizeUrl(AUTHORIZE_URL, {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      ...(codeChallenge !== undefined && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    });
}

/** @throws PlatformFailure */
export function exchangeGoogleCode(
  http: PlatformHttp,
  app: OAuthApp,
  { code, redirectUri, codeVerifier }: { code: string; redirectUri: string; codeVerifier?: string },
): Promise<Tokens> {
  const parameters = { code, redirect_uri: redirectUri, ...(codeVerifier !== undefined && { code_verifier: codeVerifier }) };
  return requestTokens(http, app, { tokenUrl: TOKEN_URL, grantType: 'authorization_code', parameters, secretIn: 'body' });
}

/**
 * A new access token, for about an hour. Google rarely answers with a refresh token: the old one stays valid.
 * @throws PlatformFailure `token_expired` when the grant is gone (taken back, unused for six months, crowded out) or never had a refresh token
 */
export async function refreshGoogleTokens(http: PlatformHttp, app: OAuthApp, tokens: Tokens): Promise<Tokens> {
  const { refreshToken } = tokens;
  if (refreshToken === undefined) {
    throw new PlatformFailure('token_expired', 'This login gave no refresh token.', { effect: 'not_sent' });
  }
  const parameters = { refresh_token: refreshToken };
  const fresh = await requestTokens(http, app, { tokenUrl: TOKEN_URL, grantType: 'refresh_token', parameters, secretIn: 'body' });
  return { ...fresh, scopes: fresh.scopes.length > 0 ? fresh.scopes : tokens.scopes };
}

/** Ends the whole grant, whichever of its tokens is shown. @throws PlatformFailure */
export async function revokeGoogleTokens(http: PlatformHttp, tokens: Tokens): Promise<void> {
  const form = { token: tokens.refreshToken ?? tokens.accessToken };
  const answer = await http.send({ method: 'POST', url: REVOKE_URL, body: { form } });
  const goneAlready = answer.status === 400 && stringAt(answer.json, 'error') === 'invalid_token';
  const isRefused = answer.status >= 300 || at(answer.json, 'error') !== undefined;
  if (isRefused && !goneAlready) throw googleFailure(answer, []);
  checkObjectOrNothing(answer);
}
