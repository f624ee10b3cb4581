import { type ClientAuth, ClientSecretPost, Configuration, customFetch, genericGrantRequest, ResponseBodyError } from 'openid-client';
import type { OAuthApp, Tokens } from '../oauth.ts';
import { type FailureClass, PlatformFailure } from './failure.ts';
import { at, stringAt } from './fields.ts';
import type { PlatformResponse, PlatformHttp, PlatformRequest } from './http.ts';

type OAuthError = (response: PlatformResponse) => { error: string; error_description?: string } | undefined;

/**
 * Requests tokens from a standard token endpoint (RFC 6749).
 *
 * @throws PlatformFailure `token_expired` when the platform rejects the grant (final: a person has to reconnect), `permission` when it rejects
 * our app's credentials, `transient` when it may work later
 */
export async function requestTokens(
  http: PlatformHttp,
  app: OAuthApp,
  request: {
    tokenUrl: string;
    grantType: 'authorization_code' | 'refresh_token';
    parameters: Record<string, string>;
    /** Where the platform expects our secret; in the `Authorization` header by default. TikTok calls our id `client_key`. */
    secretIn?: 'header' | 'body' | 'body_with_client_key';
    /** Translates the platform's own error format to that of RFC 6749. */
    oauthError?: OAuthError;
  },
): Promise<Tokens> {
  const config = new Configuration(
    { issuer: new URL(request.tokenUrl).origin, token_endpoint: request.tokenUrl },
    app.clientId,
    undefined,
    clientAuth(app, request.secretIn),
  );
  config[customFetch] = fetchThrough(http, request.oauthError);
  try {
    const granted = await genericGrantRequest(config, request.grantType, request.parameters);
    return {
      accessToken: granted.access_token,
      ...(granted.refresh_token !== undefined && { refreshToken: granted.refresh_token }),
      ...(granted.expires_in !== undefined && { expiresInMs: granted.expires_in * 1_000 }),
      ...refreshEnd(granted),
      scopes: granted.scope?.split(' ') ?? [],
    };
  } catch (error) {
    throw asFailure(error);
  }
}

/** LinkedIn, Pinterest and Google (if a grant expires) use the first name, TikTok the second. */
function refreshEnd(granted: object): Pick<Tokens, 'refreshExpiresInMs'> {
  const seconds = Number(at(granted, 'refresh_token_expires_in') ?? at(granted, 'refresh_expires_in'));
  return seconds > 0 ? { refreshExpiresInMs: seconds * 1_000 } : {};
}

function clientAuth(app: OAuthApp, secretIn: 'header' | 'body' | 'body_with_client_key' = 'header'): ClientAuth {
  if (secretIn === 'header') return basicAuth(app);
  if (secretIn === 'body') return ClientSecretPost(app.clientSecret);
  return (_server, _client, body) => {
    body.set('client_key', app.clientId);
    body.set('client_secret', app.clientSecret);
  };
}

/** HTTP Basic as the platforms expect it: id and secret unencoded, although RFC 6749 requires form encoding. */
function basicAuth({ clientId, clientSecret }: OAuthApp): ClientAuth {
  return (_server, _client, body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`);
    body.set('client_id', clientId);
  };
}

/** Makes openid-client use our HTTP client, and corrects responses that deviate from the standard. */
function fetchThrough(http: PlatformHttp, oauthError?: OAuthError) {
  return async (url: string, options: { body?: unknown; headers: Record<string, string> }): Promise<Response> => {
    const form = Object.fromEntries(new URLSearchParams(options.body instanceof URLSearchParams ? options.body : ''));
    const request: PlatformRequest = { method: 'POST', url, headers: options.headers, body: { form } };
    const response = await http.send(request);
    const { status, json } = response;
    if (status >= 500 || status === 429 || typeof json !== 'object' || json === null) {
      const failureClass = status === 429 ? 'rate_limited' : 'transient';
      throw new PlatformFailure(failureClass, noTokens(status), {
        effect: status === 429 ? 'rejected' : 'unknown',
        detail: { status },
      });
    }
    // TikTok may reject with status 200: only a response with a token is a success.
    if (status < 300 && stringAt(json, 'error') && !stringAt(json, 'access_token')) {
      return new Response(response.text, { status: 400, headers: { 'content-type': 'application/json' } });
    }
    return Response.json(status < 300 ? standardized(json) : { ...json, ...oauthError?.(response) }, { status });
  };
}

function standardized(json: object): object {
  const scope = at(json, 'scope');
  return {
    token_type: 'bearer',
    ...json,
    // The ID token is removed: openid-client would validate it against an issuer of its own.
    id_token: undefined,
    ...(typeof at(json, 'expires_in') === 'string' && { expires_in: Number(at(json, 'expires_in')) }),
    ...(Array.isArray(scope) && { scope: scope.join(' ') }),
  };
}

function asFailure(error: unknown): PlatformFailure {
  const ours = [error, at(error, 'cause'), at(error, 'cause', 'cause')].find((one) => one instanceof PlatformFailure);
  if (ours) return ours;
  if (error instanceof ResponseBodyError) {
    return new PlatformFailure(classOf(error.error), error.error_description ?? error.error, {
      effect: 'rejected',
      detail: { status: error.status, error: error.error },
      cause: error,
    });
  }
  const status = at(error, 'cause', 'status');
  return new PlatformFailure('transient', noTokens(status), {
    effect: 'unknown',
    detail: { status: typeof status === 'number' ? status : undefined, code: stringAt(error, 'code') },
    cause: error,
  });
}

const noTokens = (status: unknown) =>
  `The platform issued no access token${typeof status === 'number' ? `: the response had status ${status}` : ''}.`;

/** RFC 6749, 5.2. X responds with `invalid_request` to a refresh token that it no longer knows. Nothing else may disconnect an account. */
function classOf(error: string): FailureClass {
  if (error === 'invalid_grant' || error === 'invalid_request') return 'token_expired';
  return error === 'invalid_client' || error === 'unauthorized_client' ? 'permission' : 'transient';
}
