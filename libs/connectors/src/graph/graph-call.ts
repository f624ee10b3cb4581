import { createHmac } from 'node:crypto';
import type { Call, OAuthApp } from '../connector.ts';
import { at, objectIn } from '../fields.ts';
import type { PlatformHttp, PlatformRequest } from '../http.ts';
import { type GraphRule, graphRules } from './error-rules.ts';
import { graphFailure } from './graph-failure.ts';
import { GRAPH_URL, INSTAGRAM_GRAPH_URL } from './limits.ts';

export interface GraphRequest extends Pick<PlatformRequest, 'method' | 'query' | 'body' | 'commit'> {
  /** `/{page}/feed` */
  readonly path: string;
  /** The prefix of the path; by default the API version, at Facebook. */
  readonly baseUrl?: string;
}

/** A call with the account's token, at the host of the login that the token comes from. */
export function graphCall(call: Call, request: GraphRequest, rules: readonly GraphRule[] = graphRules): Promise<unknown> {
  const onAccount = request.path.split('/')[1] === call.account.accountId;
  return graphSend(call.http, { ...request, ...signed(call.app, call.account.accessToken, request.query) }, rules, onAccount);
}

/** A call with a person's token. */
export function graphGetAs(
  http: PlatformHttp,
  app: OAuthApp,
  token: string,
  path: string,
  query: PlatformRequest['query'],
): Promise<unknown> {
  return graphSend(http, { method: 'GET', path, ...signed(app, token, query) });
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

/**
 * The token is sent in a header, so that logs of URLs do not contain it. At Facebook it is signed with our app's secret, as recommended for servers;
 * graph.instagram.com requires no proof.
 */
function signed(
  app: OAuthApp,
  token: string,
  query: PlatformRequest['query'],
): Pick<GraphRequest, 'baseUrl' | 'query'> & Pick<PlatformRequest, 'headers'> {
  const headers = { authorization: `Bearer ${token}` };
  if (app.login === 'instagram') return { headers, baseUrl: INSTAGRAM_GRAPH_URL, ...(query && { query }) };
  const proof = createHmac('sha256', app.clientSecret).update(token).digest('hex');
  return { headers, query: { ...query, appsecret_proof: proof } };
}
