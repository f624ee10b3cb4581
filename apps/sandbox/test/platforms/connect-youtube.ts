import { queryOf, redirectUri, reel, type RunningSandbox } from '../running-sandbox.ts';

export const uploadUrl = 'https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status';
export const api = 'https://www.googleapis.com/youtube/v3';
export const scope = (...names: string[]) => names.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ');
export const everything = scope('youtube.upload', 'youtube.force-ssl', 'youtube.readonly');
const client = { client_id: 'sandbox-youtube', client_secret: 'sandbox-youtube-secret' };
export const authorize = {
  client_id: client.client_id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: everything,
  state: 's1',
  access_type: 'offline',
  prompt: 'consent',
};

export const token = ({ call }: RunningSandbox, form: Record<string, string>) =>
  call('https://oauth2.googleapis.com/token', { form: { ...client, redirect_uri: redirectUri, ...form } });

export async function codeFor({ call }: RunningSandbox, more: Record<string, string> = {}): Promise<string> {
  const page = await call(`https://accounts.google.com/o/oauth2/v2/auth?${queryOf({ ...authorize, ...more })}&_consent=allow`);
  return new URL(page.headers.get('location')!).searchParams.get('code')!;
}

/** Completes Google's OAuth, and calls the API like a client. @param channel an id; default: the first channel */
export async function connectChannel(from: RunningSandbox, requested = everything, channel?: string) {
  const code = await codeFor(from, { scope: requested, ...(channel !== undefined && { _account: channel }) });
  const { body } = await token(from, { grant_type: 'authorization_code', code });
  const headers = { authorization: `Bearer ${body.access_token}` };
  return {
    tokens: body as { access_token: string; refresh_token?: string; expires_in: number; scope: string },
    get: (path: string) => from.call(`${api}/${path}`, { headers }),
    post: (path: string, json: unknown) => from.call(`${api}/${path}`, { json, headers }),
    start: (json: unknown, more: Record<string, string> = {}, url = uploadUrl) =>
      from.call(url, {
        json,
        headers: { ...headers, 'x-upload-content-type': 'video/mp4', 'x-upload-content-length': String(reel.length), ...more },
      }),
    put: (session: string, range: string | null, bytes?: Buffer, more: Record<string, string> = {}) =>
      from.call(session, {
        method: 'PUT',
        ...(bytes && { body: new Uint8Array(bytes) }),
        headers: { ...headers, ...(bytes && { 'content-type': 'video/mp4' }), ...(range !== null && { 'content-range': range }), ...more },
      }),
  };
}
