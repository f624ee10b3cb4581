import type { GuardedClient } from '@fanfare/guarded-http';
import { clockSkewMs } from '@fanfare/runtime';
import * as openid from 'openid-client';
import type { OidcConfig } from '../../config.ts';

/** An OpenID Connect provider that people sign in with. */
export interface OidcProvider {
  /** Part of paths, and of the stored accounts of its users. */
  readonly id: string;
  readonly name: string;
  readonly redirectUri: string;
  /** @throws Error if the provider returns an unexpected response */
  authorizeUrl(attempt: { state: string; nonce: string; codeVerifier: string }): Promise<string>;
  /**
   * The identity that a callback proves. Checks state, nonce, PKCE, `iss` and the signature of the ID token.
   * @throws Error if a check fails
   */
  exchange(callback: URL, attempt: { state: string; nonce: string; codeVerifier: string }): Promise<OidcIdentity>;
}

export interface OidcIdentity {
  readonly issuer: string;
  /** Unique only together with the issuer. */
  readonly subject: string;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
}

const ID = 'sso';
const SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;
/** Less than the 30 s that the library tolerates. */
const MAX_DRIFT_MS = 5_000;
/** The size limit of a response: discovery documents and key sets have some kilobytes. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** @param web fetches the provider's URLs, and those in its documents, within limits */
export function createOidcProvider(
  { issuer, clientId, clientSecret, name }: OidcConfig,
  baseUrl: string,
  web: Pick<GuardedClient, 'send'>,
): OidcProvider {
  const redirectUri = `${baseUrl}/api/auth/oidc/${ID}/callback`;
  let discovered: Promise<openid.Configuration> | undefined;
  /** The clock skew at the time of discovery. */
  let skewMs = 0;

  return {
    id: ID,
    name,
    redirectUri,
    async authorizeUrl({ state, nonce, codeVerifier }) {
      const url = openid.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async exchange(callback, { state, nonce, codeVerifier }) {
      const provider = await discover();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true };
      const tokens = await openid.authorizationCodeGrant(provider, callback, checks);
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider sent no ID token.');
      const { iss, sub } = claims;
      // Some providers return the address only from their userinfo endpoint.
      const known = 'email' in claims ? claims : await openid.fetchUserInfo(provider, tokens.access_token, sub);
      return {
        issuer: iss,
        subject: sub,
        email: typeof known['email'] === 'string' ? known['email'] : undefined,
        isEmailVerified: known['email_verified'] === true,
        name: typeof known['name'] === 'string' ? known['name'] : undefined,
      };
    },
  };

  /**
   * Once, when it is first needed, because an unavailable provider must not prevent a start. Again after this machine's clock was set: ID tokens are checked
   * by the database's time, and the library accepts the difference only here.
   */
  function discover(): Promise<openid.Configuration> {
    if (Math.abs(clockSkewMs() - skewMs) > MAX_DRIFT_MS) discovered = undefined;
    if (discovered) return discovered;
    skewMs = clockSkewMs();
    const client = { client_secret: clientSecret, [openid.clockSkew]: -Math.round(skewMs / 1000) };
    discovered = openid
      .discovery(new URL(issuer), clientId, client, undefined, {
        timeout: TIMEOUT_SECONDS,
        // For all requests: discovery, keys, tokens and userinfo.
        [openid.customFetch]: fetchBy(web),
        // By default the library accepts TLS as proof of an ID token's origin; verifying the signature costs little more.
        execute: [openid.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [])],
      })
      .catch((error: unknown) => {
        discovered = undefined;
        throw error;
      });
    return discovered;
  }
}

function fetchBy(web: Pick<GuardedClient, 'send'>): openid.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const {
      status,
      headers: responseHeaders,
      body: bytes,
    } = await web.send(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: {
        ...headers,
        ...(body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
      },
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: TIMEOUT_SECONDS * 1000,
      ...(signal && { signal }),
    });
    return new Response(new Uint8Array(bytes), { status, headers: responseHeaders });
  };
}
