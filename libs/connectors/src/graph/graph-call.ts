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
  /** What stands before the path; the version that we speak, at Facebook, when absent. */
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

/** A call without a token, such as those that ask for one. */
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
 * The token goes into a header, which no log of addresses keeps. At Facebook it is signed with our app's secret, as all calls of a server should be;
 * graph.instagram.com asks for no proof.
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
