import type { RequestHandler } from 'express';
import type { Context } from '../../context.ts';
import { describeLimits } from '../limits/limit.ts';

/** Adds rate-limit headers to responses of paths that are not counted: every response carries them. */
export function showLimits(context: Context): RequestHandler {
  return async (request, response, next) => {
    // These paths must respond even while the database does not.
    await describeLimits(context, request, response).catch((error: unknown) =>
      context.log.warn({ err: error }, 'rate-limit headers could not be added'),
    );
    next();
  };
}
