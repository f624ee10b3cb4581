import { Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { chooseNumbers } from '../world/numbers.ts';
import { checked, ControlError } from './control-error.ts';

const numbersRequest = z.strictObject({
  /** The account's numbers of a day, `YYYY-MM-DD`; those of now without one. */
  day: z.iso.date().optional(),
  numbers: z.record(z.string().regex(/^[a-z_]{1,40}$/), z.number().min(0)),
});

/** Sets what platforms count of a post or an account: what is not set is made up from its id and age. */
export function numberRoutes({ world }: Context): Router {
  const router = Router();
  router.put('/numbers/:id', (request, response) => {
    const { id } = request.params;
    const { day, numbers } = checked(numbersRequest, request.body);
    if (!world.posts.has(id) && !world.accounts.has(id)) throw new ControlError(404, `There is no post or account ${id}`);
    chooseNumbers(world, day === undefined ? id : `${id}:${day}`, numbers);
    response.json({ id, ...(day !== undefined && { day }), numbers });
  });
  return router;
}
