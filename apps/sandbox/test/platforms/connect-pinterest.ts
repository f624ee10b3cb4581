import { queryOf, redirectUri, type RunningSandbox } from '../running-sandbox.ts';

export const api = 'https://api.pinterest.com/v5';
export const allScopes = 'boards:read,boards:write,pins:read,pins:write,user_accounts:read';
export const basic = `Basic ${Buffer.from('sandbox-pinterest:sandbox-pinterest-secret').toString('base64')}`;
export const authorizeQuery = {
  client_id: 'sandbox-pinterest',
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: allScopes,
  state: 's1',
};

/** Completes Pinterest's OAuth, and calls the API like a client. */
export async function connectPinterest({ call }: RunningSandbox, scope = allScopes, accountId?: string) {
  const headers = { 'x-sandbox-consent': 'allow', ...(accountId !== undefined && { 'x-sandbox-account': accountId }) };
  const allowed = await call(`https://www.pinterest.com/oauth/?${queryOf({ ...authorizeQuery, scope })}`, { headers });
  const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!;
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, continuous_refresh: 'true' };
  const tokens = await call(`${api}/oauth/token`, { form: exchange, headers: { authorization: basic } });
  const bearer = { authorization: `Bearer ${tokens.body.access_token}` };
  const get = (path: string) => call(`${api}/${path}`, { headers: bearer });
  const [board, other] = scope.includes('boards:read') ? (await get('boards')).body.items : [];
  return {
    exchange,
    tokens: tokens.body as Record<string, string | number>,
    board: board?.id as string,
    other: other?.id as string,
    get,
    post: (path: string, json: unknown) => call(`${api}/${path}`, { json, headers: bearer }),
    remove: (path: string) => call(`${api}/${path}`, { method: 'DELETE', headers: bearer }),
  };
}
