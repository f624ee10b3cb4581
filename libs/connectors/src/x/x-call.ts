import type { Call } from '../connector.ts';
import { at, checkObjectOrNothing, stringAt } from '../fields.ts';
import type { PlatformRequest } from '../http.ts';
import { xFailure } from './errors.ts';
import { API_URL } from './limits.ts';

/** A call with the account's token. @throws PlatformFailure for every answer that is no success */
export async function xCall(
  { http, account }: Pick<Call, 'http'> & { readonly account: { readonly accessToken: string } },
  { path, ...request }: Omit<PlatformRequest, 'url' | 'headers'> & { readonly path: string },
): Promise<unknown> {
  const headers = { authorization: `Bearer ${account.accessToken}` };
  const response = await http.send({ ...request, url: `${API_URL}${path}`, headers });
  if (response.status >= 300 || holdsOnlyProblems(response.json)) throw xFailure(response);
  // An append answers with nothing at all.
  checkObjectOrNothing(response);
  return response.json;
}

/** Lists may answer 200 with nothing but `errors`; a problem that stands alone is no success either. */
function holdsOnlyProblems(json: unknown): boolean {
  return at(json, 'data') === undefined && (at(json, 'errors') !== undefined || stringAt(json, 'detail') !== undefined);
}
