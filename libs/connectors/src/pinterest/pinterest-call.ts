import type { Call } from '../connector.ts';
import { checkObjectOrNothing, numberAt, objectIn, stringAt } from '../calls/fields.ts';
import type { PlatformRequest } from '../calls/http.ts';
import { pinterestFailure } from './errors.ts';
import { API_URL } from './limits.ts';

/** A call with the account's token. @throws PlatformFailure for every unsuccessful response */
export async function pinterestCall(
  { http, account }: Pick<Call, 'http'> & { readonly account: { readonly accessToken: string } },
  { path, ...request }: Omit<PlatformRequest, 'url' | 'headers'> & { readonly path: string },
): Promise<unknown> {
  const headers = { authorization: `Bearer ${account.accessToken}` };
  const response = await http.send({ ...request, url: `${API_URL}${path}`, headers });
  const isError = numberAt(response.json, 'code') !== undefined && stringAt(response.json, 'message') !== undefined;
  if (response.status >= 300 || isError) throw pinterestFailure(response);
  // A deletion has an empty response.
  return request.method === 'DELETE' ? checkObjectOrNothing(response) : objectIn(response);
}
