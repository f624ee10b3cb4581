import { Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Platform } from '../platforms/platform.ts';
import { platforms } from '../platforms/registry.ts';
import { chooseStatistics } from '../world/statistics.ts';
import { checked, ControlError } from './control-error.ts';

const statisticsRequest = z.strictObject({
  /** The day of an account's statistics, `YYYY-MM-DD`; absent for the current ones. */
  day: z.iso.date().optional(),
  statistics: z.record(z.string(), z.number().min(0)),
});

const SUBJECTS = { post: 'a post', account: 'an account', day: "an account's day" };

function missing(id: string): never {
  throw new ControlError(404, `There is no post or account ${id}`);
}

/** Sets the statistics of a post or an account. Statistics that are not set are generated from its id and age. */
export function statisticsRoutes({ world }: Context): Router {
  const router = Router();
  router.put('/statistics/:id', (request, response) => {
    const { id } = request.params;
    const { day, statistics } = checked(statisticsRequest, request.body);
    const post = world.posts.get(id);
    const { platform } = post ?? world.accounts.get(id) ?? missing(id);
    const subject = post ? 'post' : day === undefined ? 'account' : 'day';
    const { settable }: Platform = platforms[platform];
    const known: readonly string[] = settable?.[subject] ?? [];
    const unknown = Object.keys(statistics).filter((name) => !known.includes(name));
    if (unknown.length > 0) {
      const has = known.length > 0 ? known.join(', ') : 'no statistics';
      throw new ControlError(422, `${unknown.join(', ')}: on ${platform}, ${SUBJECTS[subject]} has ${has}`);
    }
    chooseStatistics(world, day === undefined ? id : `${id}:${day}`, statistics);
    response.json({ id, ...(day !== undefined && { day }), statistics });
  });
  return router;
}
