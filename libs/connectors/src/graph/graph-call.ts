import { createHmac } from 'node:crypto';
import type { Account, Call } from '../connector.ts';
import type { OAuth, OAuthApp } from '../oauth.ts';
import { at, objectIn } from '../calls/fields.ts';
import type { PlatformHttp, PlatformRequest } from '../calls/http.ts';
import { type GraphRule, graphRules } from './error-rules.ts';
import { graphFailure } from './graph-failure.ts';
import { GRAPH_URL, INSTAGRAM_GRAPH_URL } from './limits.ts';

interface GraphRequest extends Pick<PlatformRequest, 'method' | 'query' | 'body' | 'commit'> {
  /** `/{page}/feed` */
  readonly path: string;
  /** The prefix of the path; by default the API version, at Facebook. */
  readonly baseUrl?: string;
}

/** A call with the account's token, at the host of the login that the token comes from. */
export function graphCall(call: Call, request: GraphRequest, rules: readonly GraphRule[] = graphRules): Promise<unknown> {
  const onAccount = request.path.split('/')[1] === call.account.accountId;
  return graphSend(call.http, { ...request, ...signed(call.account, request.query) }, rules, onAccount);
}

/** A call with a person's token. */
export function graphGetAs(
  http: PlatformHttp,
  app: OAuthApp,
  token: string,
  path: string,
  query: PlatformRequest['query'],
): Promise<unknown> {
  return graphSend(http, { method: 'GET', path, ...signed(accountOfPerson(app, token), query) });
}

/** A call without a token, such as a token request. */
export async function graphSend(
  http: PlatformHttp,
  { path, baseUrl = GRAPH_URL, ...request }: GraphRequest & Pick<PlatformRequest, 'headers'>,
  rules: readonly GraphRule[] = graphRules,
  onAccount = false,
): Promise<unknown> {
  const response = await http.send({ ...request, url: `${baseUrl}${path}` });
  if (response.status >= 300 || at(response.json, 'error') !== undefined) throw graphFailure(response, rules, onAccount);
  return objectIn(response);
}

/** Facebook recommends it for servers. */
export const prove: NonNullable<OAuth['prove']> = (app, token) => createHmac('sha256', app.clientSecret).update(token).digest('hex');

type Signer = Pick<Account, 'accessToken' | 'login' | 'tokenProof'>;

const accountOfPerson = (app: OAuthApp, accessToken: string): Signer => ({
  accessToken,
  ...(app.login === 'instagram' ? { login: app.login } : { tokenProof: prove(app, accessToken) }),
});

/** The token is sent in a header, so that logs of URLs do not contain it. graph.instagram.com requires no proof. */
function signed(
  { accessToken, login, tokenProof }: Signer,
  query: PlatformRequest['query'],
): Pick<GraphRequest, 'baseUrl' | 'query'> & Pick<PlatformRequest, 'headers'> {
  const headers = { authorization: `Bearer ${accessToken}` };
  if (login === 'instagram') return { headers, baseUrl: INSTAGRAM_GRAPH_URL, ...(query && { query }) };
  return { headers, query: { ...query, ...(tokenProof !== undefined && { appsecret_proof: tokenProof }) } };
}
