import type { Call } from '../connector.ts';
import { at } from '../calls/fields.ts';
import type { PlatformResponse, PlatformRequest } from '../calls/http.ts';
import { tiktokFailure } from './errors.ts';
import { API_URL } from './limits.ts';

/** A call with the account's token. @throws PlatformFailure for every response whose `error.code` is not `ok` */
export async function tiktokCall(
  { http, account }: Pick<Call, 'http'> & { readonly account: { readonly accessToken: string } },
  { path, json, ...request }: Pick<PlatformRequest, 'query' | 'commit'> & { readonly path: string; readonly json?: unknown },
): Promise<PlatformResponse> {
  const method = path === '/user/info/' ? 'GET' : 'POST';
  const headers = {
    authorization: `Bearer ${account.accessToken}`,
    ...(method === 'POST' && { 'content-type': 'application/json; charset=UTF-8' }),
  };
  const body = json !== undefined && { body: { json } };
  const response = await http.send({ ...request, method, url: `${API_URL}${path}`, headers, ...body });
  if (response.status >= 300 || at(response.json, 'error', 'code') !== 'ok') throw tiktokFailure(response);
  return response;
}
