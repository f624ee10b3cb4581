import { notFound } from '@fanfare/errors';
import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { admit } from './admit.ts';

export function unknownPath(context: Context): RequestHandler {
  return async (request, response) => {
    await admit(context, request, response);
    throw notFound('path');
  };
}
