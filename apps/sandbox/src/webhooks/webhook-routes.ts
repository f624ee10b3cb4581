import express, { Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { checked } from '../control/control-error.ts';
import { pageHeaders } from '../pages/html-page.ts';
import { behavior, KEPT, type Behavior } from './receiver.ts';
import { respond } from './respond.ts';
import { BEHAVIOR_NAMES, webhookPage, type BehaviorName } from './webhook-page.ts';

/** Receives webhooks of any sender. */
export function receiverRoutes({ webhooks }: Context): Router {
  const router = Router();
  router.post('/_webhooks/:name', express.text({ type: () => true, limit: '5mb' }), (request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body: unknown = request.body;
    respond(response, webhooks.receive(request.params.name, headers, typeof body === 'string' ? body : ''));
  });
  return router;
}

const BEHAVIORS: Readonly<Record<BehaviorName, Behavior>> = {
  accept: { type: 'accept' },
  fail: { type: 'status', status: 500 },
  gone: { type: 'status', status: 410 },
  limit: { type: 'status', status: 429, retry_after: 10 },
  stall: { type: 'stall' },
  drip: { type: 'drip' },
  endless: { type: 'endless' },
  redirect: { type: 'redirect', location: '/' },
  drop: { type: 'drop' },
};

const secret = z.string().regex(/^whsec_[A-Za-z0-9+/=]{20,}$/, 'must be the secret of an endpoint, whsec_…');
const form = z.object({ name: z.string().min(1), secret: secret.or(z.literal('')), behavior: z.enum(BEHAVIOR_NAMES) });

/** The page for people. */
export function webhookPageRoutes({ webhooks }: Context): Router {
  const router = Router();
  router.get('/_webhooks', (request, response) => {
    const baseUrl = `${request.protocol}://${request.headers.host ?? ''}`;
    const reloads = request.query['still'] === undefined;
    response.set(pageHeaders).type('html').send(webhookPage(webhooks, { baseUrl, reloads }));
  });
  router.post('/_webhooks', express.urlencoded({ extended: false }), (request, response) => {
    const given = form.safeParse(request.body);
    if (!given.success) return void response.status(400).type('text').send(z.prettifyError(given.error));
    const { name, secret: known, behavior: chosen } = given.data;
    webhooks.set(name, { secret: known || undefined, behavior: BEHAVIORS[chosen] });
    response.redirect(303, '/_webhooks');
  });
  return router;
}

const listQuery = z.strictObject({ name: z.string().optional(), limit: z.coerce.number().int().min(1).max(KEPT).default(500) });
const settings = z.strictObject({
  secret: secret.optional(),
  behavior: behavior.optional(),
  /** For how many webhooks; then it accepts them. Null means always. */
  times: z.int().min(1).nullish(),
});

/** For tests. Newest first. */
export function webhookRoutes({ webhooks }: Context): Router {
  const router = Router();
  router.get('/webhooks', (request, response) => {
    const { name, limit } = checked(listQuery, request.query);
    response.json({
      items: webhooks
        .list()
        .filter((one) => name === undefined || one.name === name)
        .slice(0, limit),
    });
  });
  router.put('/webhooks/:name', (request, response) => {
    webhooks.set(request.params.name, checked(settings, request.body));
    response.json({ status: 'set' });
  });
  router.delete('/webhooks', (_request, response) => {
    webhooks.clear();
    response.json({ status: 'deleted' });
  });
  return router;
}
