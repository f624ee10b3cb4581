import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { queryOf, redirectUri, type RunningSandbox } from '../running-sandbox.ts';

export const scope = 'https://www.googleapis.com/auth/business.manage';

/** Completes Google's login, for every location or one. */
export async function connectBusiness({ call, control }: RunningSandbox, scopes = scope, account?: string) {
  const client = { client_id: 'sandbox-google_business', client_secret: 'sandbox-google_business-secret' };
  const requested = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes,
    state: 's',
    prompt: 'consent',
  };
  const query = queryOf({ ...requested, access_type: 'offline', _consent: 'allow', ...(account !== undefined && { _account: account }) });
  const allowed = await call(`https://accounts.google.com/o/oauth2/v2/auth?${query}`);
  const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!;
  const form = { ...client, grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const tokens = await call('https://oauth2.googleapis.com/token', { form });
  const headers = { authorization: `Bearer ${tokens.body.access_token}` };
  const [demo] = (await control('/accounts?platform=google_business')).body.items;
  const location: string = account ?? demo.id;
  const posts = `https://mybusiness.googleapis.com/v4/${location}/localPosts`;
  return {
    headers,
    location,
    posts,
    get: (url: string) => call(url, { headers }),
    post: (json: unknown) => call(posts, { json, headers }),
  };
}

/** A third party's web server, with images of the size that Google requires. */
export async function imageServer() {
  const noise = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 60 } } });
  const files: Record<string, { type: string; bytes: Buffer; status?: number }> = {
    '/good.jpg': { type: 'image/jpeg', bytes: await noise(400, 300).jpeg().toBuffer() },
    '/good.webp': { type: 'image/webp', bytes: await noise(400, 300).webp().toBuffer() },
    '/narrow.png': { type: 'image/png', bytes: await noise(400, 200).png().toBuffer() },
    '/tiny.jpg': {
      type: 'image/jpeg',
      bytes: await sharp({ create: { width: 400, height: 300, channels: 3, background: '#888' } })
        .jpeg()
        .toBuffer(),
    },
    '/moved.jpg': { type: 'image/jpeg', bytes: Buffer.from('x'), status: 302 },
    '/page.html': { type: 'text/html', bytes: Buffer.from('<h1>please sign in</h1>') },
  };
  const server = createServer((request, response) => {
    const file = files[request.url ?? ''];
    response.writeHead(file ? (file.status ?? 200) : 404, { 'content-type': file?.type ?? 'text/plain', location: '/good.jpg' });
    response.end(request.method === 'HEAD' ? undefined : file?.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: (file: string) => `http://127.0.0.1:${port}${file}`, stop };
}
