import { Router, type Response } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { checked } from '../control/control-error.ts';
import { pageHeaders } from '../pages/html-page.ts';
import { framedHeaders, framedHtml, inboxPage, mailPage } from './mail-page.ts';

/** Pages may contain the frame of a mail. */
const inboxHeaders = {
  ...pageHeaders,
  'content-security-policy': `${pageHeaders['content-security-policy']}; frame-src 'self'`,
};

/** The pages for people. */
export function inboxRoutes({ mailbox }: Context): Router {
  const router = Router();
  router.get('/_dev/mail', (_request, response) => void response.set(inboxHeaders).type('html').send(inboxPage(mailbox.list())));
  router.get('/_dev/mail/:id', (request, response) => {
    const mail = mailbox.find(request.params.id);
    if (mail) response.set(inboxHeaders).type('html').send(mailPage(mail));
    else notThere(response);
  });
  router.get('/_dev/mail/:id/html', (request, response) => {
    const mail = mailbox.find(request.params.id);
    if (mail) response.set(framedHeaders).type('html').send(framedHtml(mail.html));
    else notThere(response);
  });
  return router;
}

const listQuery = z.strictObject({
  /** For one recipient. */
  to: z.string().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(200),
});

/** For tests. Newest first. */
export function mailRoutes({ mailbox }: Context): Router {
  const router = Router();
  router.get('/mails', (request, response) => {
    const { to, limit } = checked(listQuery, request.query);
    const wanted = to?.toLowerCase();
    const mails = mailbox.list().filter((mail) => wanted === undefined || mail.to.some((address) => address.toLowerCase() === wanted));
    response.json({ items: mails.slice(0, limit) });
  });
  router.delete('/mails', (_request, response) => {
    mailbox.clear();
    response.json({ status: 'deleted' });
  });
  return router;
}

function notThere(response: Response): void {
  response
    .status(404)
    .json({ error: { message: 'This mail does not exist. The sandbox keeps the last 200 mails until it stops', problems: [] } });
}
