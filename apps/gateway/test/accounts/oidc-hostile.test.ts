import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anonymously } from '../people.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

const CONSOLE_URL = 'https://app.example.com';
const CALLBACK = '/api/auth/oidc/sso/callback';

/** The path with an endless response, in a provider that otherwise works. */
let endless = '';
/** The bytes of that response that were read until the connection was closed. */
let takenBytes = 0;
let hits = 0;
let nonce = '';
let key: KeyObject;
let provider: Server;
let gateway: RunningGateway;
let issuer: string;

beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  key = privateKey;
  provider = createServer((request, response) => {
    hits++;
    const path = request.url?.split('?')[0] ?? '';
    if (path === endless) return void goOn(response);
    const responses: Readonly<Record<string, () => unknown>> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/token': () => ({ access_token: 'token', token_type: 'Bearer', id_token: idToken() }),
      '/jwks': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }] }),
      '/userinfo': () => ({ sub: 'somebody', email: 'somebody@example.com', email_verified: false }),
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(responses[path]?.() ?? {}));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(() => (provider.closeAllConnections(), new Promise((resolve) => provider.close(resolve))));

const oidc = (allowed: string) => ({
  CONSOLE_URL,
  OIDC_ISSUER: issuer,
  ...(allowed !== '' && { OIDC_ALLOWED_ORIGINS: allowed }),
  OIDC_CLIENT_ID: 'fanfare',
  OIDC_CLIENT_SECRET: 'a secret of the client',
});
beforeEach(() => ([endless, takenBytes, hits] = ['', 0, 0]));
afterEach(() => gateway.stop());

const begin = () => anonymously(gateway, '/api/auth/oidc/sso', undefined);

/** Sends endless JSON without a Content-Length. */
async function goOn(response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/json');
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const disconnected = once(response, 'close');
  response.write('{"keys":[');
  while (!response.destroyed && takenBytes < 64 * 1024 * 1024) {
    takenBytes += chunk.length;
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), disconnected]);
  }
  response.end();
}

function idToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub: 'somebody', aud: 'fanfare', iat: now, exp: now + 60, nonce };
  const signed = `${part({ alg: 'RS256', kid: '1' })}.${part(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/** Completes a sign-in that began well. */
async function ending(): Promise<URL> {
  const { authorize_url: url } = (await (await begin()).json()) as { authorize_url: string };
  const authorize = new URL(url).searchParams;
  nonce = authorize.get('nonce') ?? '';
  const query = new URLSearchParams({ code: 'code', state: authorize.get('state') ?? '' });
  const back = await gateway.call(`${CALLBACK}?${query.toString()}`, { key: null, redirect: 'manual' });
  return new URL(back.headers.get('location') ?? '');
}

it('succeeds if the provider works', async () => {
  gateway = await startGateway(oidc(issuer));
  const end = await ending();
  expect([end.pathname, end.searchParams.get('error')]).toEqual(['/sign-in', 'email_not_verified']);
});

it('is given up early if the discovery document is endless', async () => {
  gateway = await startGateway(oidc(issuer));
  endless = '/.well-known/openid-configuration';
  await expectProblem(await begin(), { status: 502, code: 'UPSTREAM_PROVIDER_ERROR' });
  expect(takenBytes).toBeLessThan(16 * 1024 * 1024);
});

it.each(['/token', '/jwks', '/userinfo'])('is given up early if the response at %s is endless', async (path) => {
  gateway = await startGateway(oidc(issuer));
  endless = path;
  const end = await ending();
  expect([end.origin, end.searchParams.get('error')]).toEqual([CONSOLE_URL, 'provider_failed']);
  expect(takenBytes).toBeGreaterThan(0);
  expect(takenBytes).toBeLessThan(16 * 1024 * 1024);
});

it('rejects a provider with a private address, unless it is allowed', async () => {
  gateway = await startGateway(oidc(''));
  await expectProblem(await begin(), { status: 502, code: 'UPSTREAM_PROVIDER_ERROR' });
  expect(hits).toBe(0);
});
