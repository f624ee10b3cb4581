import type { RequestHandler } from 'express';
import { sendAnswer } from '../pipeline/answer.ts';
import { plainPage } from './plain-page.ts';

const RECONNECT = /^\/businesses\/([\da-f-]{36})\/integrations\/[\da-f-]{36}\/reconnect$/;

/** Stands where the web app's pages would be in an installation without one: people who follow such an address are told how the API does the same. */
export const noConsole: RequestHandler = (request, response, next) => {
  // For people: only who wants nothing but JSON is a program.
  if (request.accepts(['html', 'json']) !== 'html') return next();
  const [, businessId] = RECONNECT.exec(request.path) ?? [];
  const page =
    businessId === undefined
      ? plainPage(404, 'No web app', `This installation has no web app. What this page would show, the API answers at /api${request.path}`)
      : plainPage(
          200,
          'Connect this account again',
          `The platform no longer lets us in, so somebody has to log in there once more. This installation has no web app: ask for a login link by POST /api/businesses/${businessId}/integrations/connect with {"platform": "…"}, open the authorize_url that it answers, and log in to the same account. It keeps its id, its settings and its scheduled posts.`,
        );
  sendAnswer(request, response, page);
};
