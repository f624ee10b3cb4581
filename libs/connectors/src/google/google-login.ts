import { authorizeUrl } from '../calls/authorize-url.ts';
import type { GrantedAccount, OAuth, OAuthApp, Tokens } from '../oauth.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { scopesToRequest, type FeatureScopes } from '../features.ts';
import { at, checkObjectOrNothing, stringAt } from '../calls/fields.ts';
import type { PlatformHttp } from '../calls/http.ts';
import { requestTokens } from '../calls/token-endpoint.ts';
import { googleFailure } from './google-failure.ts';
import { AUTHORIZE_URL, REVOKE_URL, TOKEN_URL } from './limits.ts';

/**
 * Google's consent page (platform reference 7.1). Only `access_type=offline` with `prompt=consent` brings a refresh token each time: without the
 * prompt a person who has granted access before gives none. `openid` lets Google say who it is: a person's grants end together.
 */
export function loginUrl(features: FeatureScopes): OAuth['authorizeUrl'] {
  return (app, { redirectUri, state, codeChallenge }) =>
    authorizeUrl(AUTHORIZE_URL, {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: [...new Set([...scopesToRequest(features, app), 'openid'])].join(' '),
      state,
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      ...(codeChallenge !== undefined && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    });
}

/**
 * @returns the tokens, and who the person is, as Google identifies them to all our apps
 * @throws PlatformFailure
 */
export async function exchangeGoogleCode(
  http: PlatformHttp,
  app: OAuthApp,
  { code, redirectUri, codeVerifier }: { code: string; redirectUri: string; codeVerifier?: string },
): Promise<{ tokens: Tokens; person: Pick<GrantedAccount, 'userId'> }> {
  const parameters = { code, redirect_uri: redirectUri, ...(codeVerifier !== undefined && { code_verifier: codeVerifier }) };
  let userId: string | undefined;
  const listening: PlatformHttp = {
    async send(request) {
      const response = await http.send(request);
      userId = subjectOf(stringAt(response.json, 'id_token'));
      return response;
    },
  };
  const tokens = await requestTokens(listening, app, {
    tokenUrl: TOKEN_URL,
    grantType: 'authorization_code',
    parameters,
    secretIn: 'body',
  });
  return { tokens, person: userId === undefined ? {} : { userId } };
}

/** Of an ID token that came straight from Google's token endpoint, over TLS, so that its signature does not have to be checked (OpenID Connect Core, 3.1.3.7). */
function subjectOf(idToken: string | undefined): string | undefined {
  const [, payload] = idToken?.split('.') ?? [];
  if (payload === undefined) return undefined;
  try {
    return stringAt(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')), 'sub');
  } catch {
    return undefined;
  }
}

/**
 * A new access token, for about an hour. Google rarely returns a refresh token: the old one stays valid.
 * @throws PlatformFailure `token_expired` if the grant is invalid (revoked, unused for six months, replaced by newer ones) or never had a refresh token
 */
export async function refreshGoogleTokens(http: PlatformHttp, app: OAuthApp, tokens: Tokens): Promise<Tokens> {
  const { refreshToken } = tokens;
  if (refreshToken === undefined) {
    throw new PlatformFailure('token_expired', 'The login returned no refresh token.', { effect: 'not_sent' });
  }
  const parameters = { refresh_token: refreshToken };
  const fresh = await requestTokens(http, app, { tokenUrl: TOKEN_URL, grantType: 'refresh_token', parameters, secretIn: 'body' });
  return { ...fresh, scopes: fresh.scopes.length > 0 ? fresh.scopes : tokens.scopes };
}

/** Whose accounts lose their access with `revokeGoogleTokens`: Google ends all that a person granted our app. */
export const revokes: NonNullable<OAuth['revokes']> = ['google_business', 'youtube'];

/** Ends the whole grant, whichever of its tokens is shown. @throws PlatformFailure */
export async function revokeGoogleTokens(http: PlatformHttp, tokens: Tokens): Promise<void> {
  const form = { token: tokens.refreshToken ?? tokens.accessToken };
  const response = await http.send({ method: 'POST', url: REVOKE_URL, body: { form } });
  const goneAlready = response.status === 400 && stringAt(response.json, 'error') === 'invalid_token';
  const isRejected = response.status >= 300 || at(response.json, 'error') !== undefined;
  if (isRejected && !goneAlready) throw googleFailure(response, []);
  checkObjectOrNothing(response);
}
