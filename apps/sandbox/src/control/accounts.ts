import { Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { platformNames, platforms } from '../platforms/registry.ts';
import { revokeAccount } from '../world/credentials.ts';
import type { Account } from '../world/world.ts';
import { checked, ControlError } from './control-error.ts';

const accountRequest = z.strictObject({
  platform: z.enum(platformNames),
  username: z.string().regex(/^[A-Za-z0-9._]{1,60}$/, 'must have 1 to 60 letters, digits, dots and underscores'),
  name: z.string().min(1).max(100),
  subscription_type: z.literal('Premium').optional(),
});

export function accountRoutes(context: Context): Router {
  const { world } = context;
  const router = Router();

  router.get('/accounts', (request, response) => {
    const { platform } = checked(z.object({ platform: z.enum(platformNames).optional() }), request.query);
    response.json({ items: [...world.accounts.values()].filter((one) => !platform || one.platform === platform).map(shown) });
  });
  router.post('/accounts', (request, response) => {
    const { platform, username, name, subscription_type } = checked(accountRequest, request.body);
    const taken = [...world.accounts.values()].some(
      (one) => one.platform === platform && one.username.toLowerCase() === username.toLowerCase(),
    );
    if (taken) throw new ControlError(400, `username: ${platform} already has an account ${username}`);
    const account = platforms[platform].createAccount(context, { username, name });
    if (subscription_type) account.subscription_type = subscription_type;
    response.status(201).json(shown(account));
  });
  router.post('/accounts/:id/revoke', (request, response) => {
    const account = world.accounts.get(request.params.id);
    if (!account) throw new ControlError(404, `There is no account ${request.params.id}`);
    response.json({ ...shown(account), revoked_grants: revokeAccount(world, account.id) });
  });
  return router;
}

const shown = ({ id, platform, username, name, created_at, linked_id }: Account) => ({
  id,
  platform,
  username,
  name,
  created_at,
  linked_id,
});
