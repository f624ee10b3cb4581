import { transaction } from '@fanfare/mongo';
import { Router, type Request, type Response } from 'express';
import { findUser, NOTICE_KINDS, updateUser, type UserDocument } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { sendResponse } from '../http/response/write-response.ts';
import { page, type Page } from '../http/html/page.ts';
import { rejectMethod } from '../http/mount-routes.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { form } from './account/form.ts';
import { enterPage } from './account/form-page.ts';

const PATH = '/unsubscribe';
const all = (on: boolean) => Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, on]));
const switched = (on: boolean) => escapeHtml(JSON.stringify({ notifications: all(on) }, null, 2));

/**
 * The target of the link in mails about failures, with or without a web app: anyone with the mail can turn them off without signing in. Opening the page
 * changes nothing, because mail filters open every link; sending its form does. Mail programs send a form of their own to the same URL (RFC 8058). They follow
 * no redirects, and their form contains nothing that is not in the URL.
 */
export function unsubscribePage(context: Context): Router {
  const { config, db, identity, mongo } = context;
  const enter = enterPage(context, PATH);
  const send = (request: Request, response: Response, shown: Page) => sendResponse(request, response, page(config, shown));
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(PATH)
    .get(async (request, response) => {
      await enter(request, response);
      const token = tokenOf(request);
      const id = identity.unsubscribeTokens.read(token);
      const user = id === undefined ? null : await findUser(db, id);
      if (!user) return send(request, response, EXPIRED);
      send(request, response, isOff(user) ? STOPPED : confirmation(user, token));
    })
    .post(async (request, response) => {
      await enter(request, response);
      const id = identity.unsubscribeTokens.read(tokenOf(request));
      const stop = (userId: string) =>
        transaction(mongo.client, (session) => updateUser(db, userId, { notifications: all(false) }, session));
      const user = id === undefined ? null : await stop(id);
      send(request, response, user ? STOPPED : EXPIRED);
    })
    .all(rejectMethod(context, ['GET', 'HEAD', 'POST']));
  return router;
}

const tokenOf = ({ query: { token } }: Request): string => (typeof token === 'string' ? token : '');

const isOff = ({ notifications = {} }: UserDocument): boolean => NOTICE_KINDS.every((kind) => notifications[kind] === false);

const confirmation = ({ email }: UserDocument, token: string): Page => ({
  title: 'Stop emails about failures',
  body: `<p>We email <strong>${escapeHtml(email)}</strong> when a post fails or an account needs to be reconnected. You can stop these emails for all your organizations.</p>
<p>You still get other emails, such as a link to choose a new password.</p>
${form(`unsubscribe?${new URLSearchParams({ token }).toString()}`, { fields: [], button: 'Stop these emails' })}`,
  hasForm: true,
});

const STOPPED: Page = {
  title: 'These emails are stopped',
  body: `<p>We no longer email you about failures. An email that has already been queued may still arrive.</p>
<p>To get them again, sign in and send this request to the API:</p>
<pre>PATCH /api/me
${switched(true)}</pre>`,
};

const EXPIRED: Page = {
  status: 400,
  title: 'This link is not valid',
  body: `<p>The link may be incomplete. Open it from the email again, or use the link in a newer email.</p>
<p>Signed-in users can also stop these emails through the API:</p>
<pre>PATCH /api/me
${switched(false)}</pre>`,
};
