import type { RequestHandler } from 'express';
import type { Context } from '../../context.ts';
import { describeLimits } from '../limits/limit.ts';

/** For what anybody may read without being counted: every answer tells of the limits. */
export function showLimits(context: Context): RequestHandler {
  return async (request, response, next) => {
    // These answer whether the database does or not.
    await describeLimits(context, request, response).catch((error: unknown) =>
      context.log.warn({ err: error }, 'limits could not be shown'),
    );
    next();
  };
}
