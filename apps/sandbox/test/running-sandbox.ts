import { createServer } from 'node:http';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { loadConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { createSpool } from '../src/media/spool.ts';
import { startServer } from '../src/server.ts';

export interface SandboxResponse {
  status: number;
  headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any response
  body: any;
  text: string;
}

export type RunningSandbox = Awaited<ReturnType<typeof runningSandbox>>;

/** A sandbox in this process, on a free port, whose clock can be moved. */
export async function runningSandbox(env: Record<string, string> = {}, spool = createSpool()) {
  const clock = { aheadMs: 0 };
  const config = loadConfig({ PORT: '0', LOG_LEVEL: 'silent', SANDBOX_PROCESSING_MS: '0', ...env });
  const context = createContext(config, () => Date.now() + clock.aheadMs, spool);
  const server = await startServer(context);

  /** The sandbox's URL for `https://graph.facebook.com/v25.0/me`, as our HTTP client maps it. */
  async function call(url: string, init: RequestInit & { json?: unknown; form?: Record<string, string> } = {}): Promise<SandboxResponse> {
    const { json, form, ...rest } = init;
    const target = url.startsWith('https://') ? `${server.url}/${url.slice('https://'.length)}` : `${server.url}${url}`;
    const body = json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form) : (rest.body ?? null);
    const headers = new Headers(rest.headers);
    if (json !== undefined || (url.startsWith('/_control/') && body === null)) headers.set('content-type', 'application/json');
    const method = rest.method ?? (body === null ? 'GET' : 'POST');
    const response = await fetch(target, { ...rest, method, headers, body, redirect: 'manual' });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
  }

  const control = (path: string, json?: unknown, method?: string) =>
    call(`/_control${path}`, { ...(json !== undefined && { json }), ...(method !== undefined && { method }) });

  return { url: server.url, smtpPort: server.smtpPort, clock, call, control, stop: () => server.stop() };
}

/** A third party's web server with media; `requests` are those that it received. */
export async function mediaServer() {
  const requests: string[] = [];
  const files: Record<string, { type: string; bytes: Buffer; status?: number; headStatus?: number }> = {
    '/square.jpg': { type: 'image/jpeg', bytes: await blankImage(600, 600).jpeg().toBuffer() },
    '/second.jpg': { type: 'image/jpeg', bytes: await blankImage(500, 500).jpeg().toBuffer() },
    '/tall.jpg': { type: 'image/jpeg', bytes: await blankImage(300, 900).jpeg().toBuffer() },
    '/square.png': { type: 'image/png', bytes: await blankImage(600, 600).png().toBuffer() },
    '/square.webp': { type: 'image/webp', bytes: await blankImage(600, 600).webp().toBuffer() },
    '/reel.mp4': { type: 'video/mp4', bytes: reel },
    '/text.jpg': { type: 'image/jpeg', bytes: Buffer.from('this is not an image') },
    '/heavy.jpg': { type: 'image/jpeg', bytes: Buffer.alloc(20_000_001) },
    '/page.html': { type: 'text/html', bytes: Buffer.from('<h1>please sign in</h1>') },
    '/moved.jpg': { type: 'image/jpeg', bytes: await blankImage(600, 600).jpeg().toBuffer(), status: 302 },
    '/no-head.jpg': { type: 'image/jpeg', bytes: await blankImage(600, 600).jpeg().toBuffer(), headStatus: 405 },
  };
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const file = files[request.url ?? ''];
    const head = request.method === 'HEAD';
    response.writeHead(file ? ((head ? file.headStatus : undefined) ?? file.status ?? 200) : 404, {
      'content-type': file?.type ?? 'text/plain',
      location: '/square.jpg',
    });
    response.end(head ? undefined : file?.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    url: (file: string) => `http://127.0.0.1:${port}/${file}`,
    bytes: (file: string) => files[`/${file}`]!.bytes,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Three seconds, 540 × 960, H.264. */
export const reel = readFileSync(path.join(import.meta.dirname, 'fixtures/reel.mp4'));

const blankImage = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c8562b' } });

export const queryOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

export const redirectUri = 'https://app.example/callback';

export const proof = (token: string, secret = 'sandbox-facebook-secret') => createHmac('sha256', secret).update(token).digest('hex');

export const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

const facebookScopes = 'pages_show_list,pages_read_engagement,pages_manage_posts,pages_manage_engagement';
const instagramScopes = 'pages_show_list,pages_read_engagement,instagram_basic,instagram_content_publish,instagram_manage_comments';

/** Completes Facebook Login: a long-lived Page token and its page. */
export async function connectPage(
  { call }: RunningSandbox,
  app: 'facebook' | 'instagram' = 'facebook',
  scope = app === 'facebook' ? facebookScopes : instagramScopes,
) {
  const graph = 'https://graph.facebook.com/v25.0';
  const client = { client_id: `sandbox-${app}`, client_secret: `sandbox-${app}-secret` };
  const query = queryOf({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    state: 's1',
    response_type: 'code',
    scope,
    _consent: 'allow',
  });
  const dialog = await call(`https://www.facebook.com/v25.0/dialog/oauth?${query}`);
  const code = new URL(dialog.headers.get('location')!).searchParams.get('code')!;
  const short = await call(`${graph}/oauth/access_token?${queryOf({ ...client, redirect_uri: redirectUri, code })}`);
  const exchange = queryOf({ ...client, grant_type: 'fb_exchange_token', fb_exchange_token: short.body.access_token });
  const long = await call(`${graph}/oauth/access_token?${exchange}`);
  const userToken: string = long.body.access_token;
  const signed = (token: string) => ({ access_token: token, appsecret_proof: proof(token, client.client_secret) });
  const accounts = await call(`${graph}/me/accounts?fields=id,name,access_token,instagram_business_account&${queryOf(signed(userToken))}`);
  const [page] = accounts.body.data;
  const pageId: string = page.id;
  const token: string = page.access_token;
  const instagramId: string | undefined = page.instagram_business_account?.id;
  return {
    code,
    userToken,
    pageId,
    token,
    instagramId: instagramId!,
    query: (token: string) => queryOf(signed(token)),
    get: (path: string, parameters: Record<string, string> = {}) =>
      call(`${graph}/${path}?${queryOf({ ...signed(token), ...parameters })}`),
    post: (path: string, json: Record<string, unknown> = {}) => call(`${graph}/${path}`, { json: { ...json, ...signed(token) } }),
  };
}

const xScopes = 'tweet.read tweet.write users.read media.write offline.access';
export const basic = `Basic ${Buffer.from('sandbox-x:sandbox-x-secret').toString('base64')}`;

/** Completes X's OAuth, and calls the API like a client. */
export async function connectX({ call }: RunningSandbox, scope = xScopes, accountId?: string) {
  const verifier = 'v'.repeat(64);
  const query = queryOf({
    response_type: 'code',
    client_id: 'sandbox-x',
    redirect_uri: redirectUri,
    scope,
    state: 's2',
    code_challenge: s256(verifier),
    code_challenge_method: 'S256',
  });
  const allowed = await call(`https://x.com/i/oauth2/authorize?${query}`, {
    headers: { 'x-sandbox-consent': 'allow', ...(accountId !== undefined && { 'x-sandbox-account': accountId }) },
  });
  const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!;
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, client_id: 'sandbox-x' };
  const tokens = await call('https://api.x.com/2/oauth2/token', { form: exchange, headers: { authorization: basic } });
  const headers = { authorization: `Bearer ${tokens.body.access_token}` };
  return {
    exchange,
    tokens: tokens.body as { access_token: string; refresh_token: string; expires_in: number; scope: string },
    get: (path: string) => call(`https://api.x.com/2/${path}`, { headers }),
    post: (path: string, json: unknown = {}) => call(`https://api.x.com/2/${path}`, { json, headers }),
    form: (path: string, form: FormData) => call(`https://api.x.com/2/${path}`, { method: 'POST', body: form, headers }),
  };
}

/** Repeats the request until the response passes. */
export async function until<T>(read: () => Promise<T>, satisfied: (value: T) => boolean, timeoutMs = 10_000): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (satisfied(value)) return value;
    if (Date.now() > end) throw new Error(`Still not: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
