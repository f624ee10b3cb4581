import type { Call } from '../connector.ts';
import { at, checkObjectOrNothing, objectIn } from '../calls/fields.ts';
import type { PlatformRequest } from '../calls/http.ts';
import { type GoogleRule, googleFailure } from './google-failure.ts';

/** A call with the account's token that returns JSON, or nothing for a deletion. @throws PlatformFailure for every unsuccessful response */
export async function googleCall(
  { http, account }: Pick<Call, 'http'> & { readonly account: { readonly accessToken: string } },
  request: Omit<PlatformRequest, 'headers'>,
  rules: readonly GoogleRule[],
): Promise<unknown> {
  const response = await http.send({ ...request, headers: { authorization: `Bearer ${account.accessToken}` } });
  if (response.status >= 300 || at(response.json, 'error') !== undefined) throw googleFailure(response, rules);
  // A deletion has an empty response.
  return request.method === 'DELETE' ? checkObjectOrNothing(response) : objectIn(response);
}
