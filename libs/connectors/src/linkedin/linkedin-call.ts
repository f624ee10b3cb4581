import type { Call } from '../connector.ts';
import { checkObjectOrNothing, numberAt, objectIn } from '../calls/fields.ts';
import type { PlatformResponse, PlatformRequest } from '../calls/http.ts';
import { linkedinFailure } from './errors.ts';
import { API_URL } from './limits.ts';

export type Caller = Pick<Call, 'http'> & { readonly account: { readonly accessToken: string } };

interface LinkedinRequest extends Omit<PlatformRequest, 'url'> {
  /** URNs in it are percent-encoded. */
  readonly path: string;
}

/** A call with the account's token. Ids of created objects are in the header `x-restli-id`. @throws PlatformFailure for every unsuccessful response */
export async function linkedinCall({ http, account }: Caller, { path, headers, ...request }: LinkedinRequest): Promise<PlatformResponse> {
  const response = await http.send({
    ...request,
    url: `${API_URL}${path}`,
    versioned: true,
    headers: {
      ...headers,
      authorization: `Bearer ${account.accessToken}`,
      'x-restli-protocol-version': '2.0.0',
    },
  });
  if (response.status >= 300 || (numberAt(response.json, 'status') ?? 0) >= 400) throw linkedinFailure(response);
  // Calls that create or finalize have an empty response.
  checkObjectOrNothing(response);
  return response;
}

/** A read call. */
export async function linkedinGet(caller: Caller, request: Omit<LinkedinRequest, 'method'>): Promise<unknown> {
  return objectIn(await linkedinCall(caller, { ...request, method: 'GET' }));
}
