import { queryOf, redirectUri, type RunningSandbox } from '../running-sandbox.ts';

export const rest = 'https://api.linkedin.com/rest';
export const client = { client_id: 'sandbox-linkedin', client_secret: 'sandbox-linkedin-secret' };
/** The scopes that an app may request without an approval. */
export const selfServe = 'openid profile w_member_social';
export const approved = `${selfServe} w_member_social_feed rw_organization_admin r_organization_social w_organization_social w_organization_social_feed`;
const versioned = { 'linkedin-version': '202609', 'x-restli-protocol-version': '2.0.0' };

/** Completes LinkedIn's OAuth, and calls the API like a client. */
export async function connectLinkedin({ call }: RunningSandbox, scope = approved) {
  const query = queryOf({ response_type: 'code', client_id: client.client_id, redirect_uri: redirectUri, state: 's1', scope });
  const allowed = await call(`https://www.linkedin.com/oauth/v2/authorization?${query}&_consent=allow`);
  const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!;
  const exchange = { ...client, grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const tokens = await call('https://www.linkedin.com/oauth/v2/accessToken', { form: exchange });
  const authorization = `Bearer ${tokens.body.access_token}`;
  const headers: Record<string, string> = { ...versioned, authorization };
  const userinfo = await call('https://api.linkedin.com/v2/userinfo', { headers: { authorization } });
  const finder = { ...headers, 'x-restli-method': 'FINDER' };
  const acls = await call(`${rest}/organizationAcls?q=roleAssignee&state=APPROVED`, { headers: finder });
  return {
    exchange,
    tokens: tokens.body as { access_token: string; refresh_token?: string; scope: string; expires_in: number },
    member: `urn:li:person:${userinfo.body.sub}`,
    page: (acls.body.elements?.[0]?.organization ?? '') as string,
    userinfo,
    headers,
    get: (path: string, more: Record<string, string> = {}) => call(`${rest}/${path}`, { headers: { ...headers, ...more } }),
    find: (path: string) => call(`${rest}/${path}`, { headers: finder }),
    post: (path: string, json: unknown, more: Record<string, string> = {}) =>
      call(`${rest}/${path}`, { json, headers: { ...headers, ...more } }),
    put: (url: string, body: Buffer, more: Record<string, string> = {}) =>
      call(url, { method: 'PUT', body: new Uint8Array(body), headers: { 'content-type': 'application/octet-stream', ...more } }),
  };
}

/** A minimal post that LinkedIn accepts, different each time. */
export const aPost = (author: string, more: object = {}) => ({
  author,
  commentary: `Hello ${Math.random()}`,
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
  ...more,
});
