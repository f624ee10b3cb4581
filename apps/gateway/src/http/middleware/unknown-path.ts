import { notFound } from '@fanfare/errors';
import type { RequestHandler } from 'express';
import type { Context } from '../../context.ts';
import { admit } from '../callers/admit.ts';
import { wantsPage } from '../html/wants-page.ts';
import { stateOf } from '../request/request-state.ts';

export function unknownPath(context: Context): RequestHandler {
  return async (request, response) => {
    stateOf(response).isPage = !request.path.startsWith('/api') && wantsPage(request);
    await admit(context, request, response);
    throw notFound('path');
  };
}
