import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@fanfare/errors';
import { toHeaders, type CallMetadata } from '@fanfare/rpc';
import { declaredBytesHeader, TUS_RESPONSE_HEADERS, TUS_PART_TYPE } from '@fanfare/rpc/bytes';
import type { Request } from 'express';
import type { Context } from '../../context.ts';
import type { Streamed } from '../../http/raw-route.ts';
import { atPace } from '../at-pace.ts';
import { responseOf } from '../library-http.ts';
import { checkResponse } from '../library-problem.ts';
import { tusHeaders } from './tus-headers.ts';

interface Relayed {
  readonly method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE';
  readonly mediaId: string;
  readonly metadata: CallMetadata;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Passes a request about an upload to the library.
 * @throws DomainError the error of the library
 */
export async function relay({ libraryHttp }: Pick<Context, 'libraryHttp'>, relayed: Relayed): Promise<Record<string, string>> {
  const upstream = libraryHttp.request(toLibrary(relayed));
  upstream.end();
  const response = await responseOf(upstream);
  await checkResponse(response);
  return shown(response.headers, relayed);
}

/**
 * Like `relay`, with the request's body as it arrives. The request to the library ends only if the caller is still permitted. Bytes that arrived before are
 * kept, as the protocol requires, but no media is created.
 */
export async function relayPart(
  { libraryHttp }: Pick<Context, 'libraryHttp'>,
  { request, checkCallerAgain }: Streamed,
  relayed: Relayed,
): Promise<Record<string, string>> {
  const options = toLibrary(relayed);
  const upstream = libraryHttp.request({
    ...options,
    headers: { ...options.headers, ...declaredBytesHeader(request.headers), 'content-type': TUS_PART_TYPE },
  });
  const responded = responseOf(upstream).then(async (response) => {
    await checkResponse(response);
    return shown(response.headers, relayed);
  });
  const sent = send(request, upstream);
  try {
    // The library may respond before the body is complete, for example to a wrong offset.
    await Promise.race([atPace(request, sent), responded.then(() => sent)]);
    await checkCallerAgain();
    upstream.end();
    return await responded;
  } catch (error) {
    upstream.destroy();
    request.unpipe(upstream);
    request.resume(); // Many clients read the response only when they have sent everything.
    throw error;
  } finally {
    responded.catch(() => undefined);
  }
}

/** Passes the body on as it arrives, but not its end. */
function send(request: Request, upstream: ClientRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    request.once('end', resolve);
    request.once('close', () => {
      if (!request.complete) reject(new DomainError('invalid_request', 'The body was cut off.'));
    });
    request.pipe(upstream, { end: false });
  });
}

const toLibrary = ({ method, mediaId, metadata, headers }: Relayed) => ({
  method,
  path: `/tus/${mediaId}`,
  headers: { ...toHeaders(metadata), 'tus-resumable': tusHeaders['Tus-Resumable'], ...headers },
});

function shown(headers: IncomingHttpHeaders, { method, mediaId }: Relayed): Record<string, string> {
  const named = TUS_RESPONSE_HEADERS.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { ...tusHeaders, ...Object.fromEntries(named), ...(method === 'DELETE' ? {} : { 'Fanfare-Media-Id': mediaId }) };
}
