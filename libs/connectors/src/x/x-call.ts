import type { Call } from '../connector.ts';
import { at, checkObjectOrNothing, stringAt } from '../fields.ts';
import type { PlatformRequest } from '../http.ts';
import { xFailure } from './errors.ts';
import { API_URL } from './limits.ts';

/** A call with the account's token. @throws PlatformFailure for every unsuccessful response */
export async function xCall(
  { http, account }: Pick<Call, 'http'> & { readonly account: { readonly accessToken: string } },
  { path, ...request }: Omit<PlatformRequest, 'url' | 'headers'> & { readonly path: string },
): Promise<unknown> {
  const headers = { authorization: `Bearer ${account.accessToken}` };
  const response = await http.send({ ...request, url: `${API_URL}${path}`, headers });
  if (response.status >= 300 || holdsOnlyProblems(response.json)) throw xFailure(response);
  // An append has an empty response.
  checkObjectOrNothing(response);
  return response.json;
}

/** Lists may return 200 with only `errors`; a single problem is not a success either. */
function holdsOnlyProblems(json: unknown): boolean {
  return at(json, 'data') === undefined && (at(json, 'errors') !== undefined || stringAt(json, 'detail') !== undefined);
}
