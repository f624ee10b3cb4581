import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import type { Caller } from '../store/callers.ts';
import { findCaller } from './authenticate.ts';
import { limit } from './limit.ts';
import { stateOf } from './request-state.ts';

/**
 * Lets a request in: finds out who calls, and counts it. Undefined is nobody that we know.
 * @throws DomainError rate_limit_exceeded
 */
export async function admit(context: Context, request: Request, response: Response): Promise<Caller | undefined> {
  const caller = await findCaller(context, request.headers.authorization);
  if (caller) stateOf(response).caller = caller;
  if (caller?.kind === 'key') context.keyUsage.note(caller.id);
  await limit(context, request, response, caller);
  return caller;
}
