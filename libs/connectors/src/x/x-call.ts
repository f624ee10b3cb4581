import type { Call } from '../connector.ts';
import { at, unreadable } from '../fields.ts';
import type { PlatformRequest } from '../http.ts';
import { xFailure } from './errors.ts';
import { API_URL } from './limits.ts';

/** A call with the account's token. @throws PlatformFailure for every answer that is no success */
export async function xCall(
  { http, account }: Pick<Call, 'http'> & { readonly account: { readonly accessToken: string } },
  { path, ...request }: Omit<PlatformRequest, 'url' | 'headers'> & { readonly path: string },
): Promise<unknown> {
  const headers = { authorization: `Bearer ${account.accessToken}` };
  const answer = await http.send({ ...request, url: `${API_URL}${path}`, headers });
  const onlyErrors = at(answer.json, 'errors') !== undefined && at(answer.json, 'data') === undefined;
  if (answer.status >= 300 || onlyErrors) throw xFailure(answer);
  // An append answers with nothing at all.
  if (answer.json === undefined && answer.text !== '') throw unreadable('no JSON');
  return answer.json;
}
