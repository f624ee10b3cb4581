import type { Request, Response } from 'express';
import type { Caller } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { isAddressRejected, limit } from '../limits/limit.ts';
import { stateOf } from '../request/request-state.ts';
import { findCaller, isGuess } from './authenticate.ts';

/**
 * Authenticates a request and counts it. Undefined without a valid credential.
 * @param options as of `findCaller`
 * @throws DomainError rate_limit_exceeded
 */
export async function admit(
  context: Context,
  request: Request,
  response: Response,
  options?: { readonly skipCache?: boolean },
): Promise<Caller | undefined> {
  const { authorization } = request.headers;
  // When an address has reached its limit, further guesses of credentials are rejected without reading the database.
  const isRejected = isGuess(context, authorization) && (await isAddressRejected(context, request));
  const caller = isRejected ? undefined : await findCaller(context, authorization, options);
  if (caller) stateOf(response).caller = caller;
  if (caller?.kind === 'key') context.keyUsage.note(caller.id);
  await limit(context, request, response, caller);
  return caller;
}
