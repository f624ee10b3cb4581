import type { Call } from '../connector.ts';
import { at, checkObjectOrNothing, listAt, stringAt } from '../calls/fields.ts';
import type { PlatformRequest } from '../calls/http.ts';
import { xFailure } from './errors.ts';
import { API_URL } from './limits.ts';

interface XRequest extends Omit<PlatformRequest, 'url' | 'headers'> {
  readonly path: string;
  /** Whether it requests several resources, so that errors about single ones are a response and not a failure. */
  readonly isLookup?: true;
}

/** A call with the account's token. @throws PlatformFailure for every unsuccessful response */
export async function xCall(
  { http, account }: Pick<Call, 'http'> & { readonly account: { readonly accessToken: string } },
  { path, isLookup, ...request }: XRequest,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${account.accessToken}` };
  const response = await http.send({ ...request, url: `${API_URL}${path}`, headers });
  const isComplete = isLookup && isAboutEach(response.json);
  if (response.status >= 300 || (!isComplete && holdsOnlyProblems(response.json))) throw xFailure(response);
  // An append has an empty response.
  checkObjectOrNothing(response);
  return response.json;
}

/** Lists may return 200 with only `errors`; a single problem is not a success either. */
function holdsOnlyProblems(json: unknown): boolean {
  return at(json, 'data') === undefined && (at(json, 'errors') !== undefined || stringAt(json, 'detail') !== undefined);
}

/** Whether each error says which of the requested resources is missing. */
function isAboutEach(json: unknown): boolean {
  const errors = listAt(json, 'errors');
  return errors.length > 0 && errors.every((error) => stringAt(error, 'resource_id') !== undefined);
}
