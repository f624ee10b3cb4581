import { queryOf, redirectUri, type RunningSandbox } from '../running-sandbox.ts';

export const api = 'https://open.tiktokapis.com/v2';
export const app = { client_key: 'sandbox-tiktok', client_secret: 'sandbox-tiktok-secret' };
export const allScopes = 'user.info.basic,user.info.profile,user.info.stats,video.publish,video.list';

/** Completes Login Kit, and calls the API like a client. */
export async function connectTiktok({ call }: RunningSandbox, scope = allScopes, accountId = '') {
  const query = queryOf({
    client_key: app.client_key,
    scope,
    response_type: 'code',
    redirect_uri: redirectUri,
    state: 's1',
    _consent: 'allow',
    _account: accountId,
  });
  const allowed = await call(`https://www.tiktok.com/v2/auth/authorize/?${query}`);
  const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!;
  const exchange = { ...app, grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const tokens = await call(`${api}/oauth/token/`, { form: exchange });
  const headers = { authorization: `Bearer ${tokens.body.access_token}` };
  return {
    exchange,
    tokens: tokens.body as Record<string, string>,
    get: (path: string) => call(`${api}${path}`, { headers }),
    post: (path: string, json: unknown = {}) => call(`${api}${path}`, { json, headers }),
  };
}
