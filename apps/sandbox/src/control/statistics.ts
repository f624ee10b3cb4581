import { Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { chooseStatistics } from '../world/statistics.ts';
import { checked, ControlError } from './control-error.ts';

const statisticsRequest = z.strictObject({
  /** The day of an account's statistics, `YYYY-MM-DD`; absent for the current ones. */
  day: z.iso.date().optional(),
  statistics: z.record(z.string().regex(/^[a-z_]{1,40}$/), z.number().min(0)),
});

/** Sets the statistics of a post or an account. Statistics that are not set are generated from its id and age. */
export function statisticsRoutes({ world }: Context): Router {
  const router = Router();
  router.put('/statistics/:id', (request, response) => {
    const { id } = request.params;
    const { day, statistics } = checked(statisticsRequest, request.body);
    if (!world.posts.has(id) && !world.accounts.has(id)) throw new ControlError(404, `There is no post or account ${id}`);
    chooseStatistics(world, day === undefined ? id : `${id}:${day}`, statistics);
    response.json({ id, ...(day !== undefined && { day }), statistics });
  });
  return router;
}
