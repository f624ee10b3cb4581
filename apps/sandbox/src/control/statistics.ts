import { Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { chooseStatistics } from '../world/statistics.ts';
import { checked, ControlError } from './control-error.ts';

const statisticsRequest = z.strictObject({
  /** The account's statistics of a day, `YYYY-MM-DD`; those of now without one. */
  day: z.iso.date().optional(),
  statistics: z.record(z.string().regex(/^[a-z_]{1,40}$/), z.number().min(0)),
});

/** Sets what platforms count of a post or an account: what is not set is made up from its id and age. */
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
