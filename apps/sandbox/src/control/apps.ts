import { Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { removeApp } from '../platforms/graph/remove-app.ts';
import { metaApps, metaPlatforms } from '../platforms/registry.ts';
import { checked, ControlError } from './control-error.ts';

const removal = z.strictObject({ delete_data: z.boolean().default(false) });

export function appRoutes(context: Context): Router {
  const router = Router();
  router.post('/apps/:client_id/remove', async (request, response) => {
    const { delete_data } = checked(removal, request.body ?? {});
    const app = metaApps(context.config.apps).find((one) => one.client_id === request.params.client_id);
    if (!app)
      throw new ControlError(404, `There is no app ${request.params.client_id} at ${metaPlatforms.map(({ label }) => label).join(' or ')}`);
    response.json(await removeApp(context, app, delete_data));
  });
  return router;
}
