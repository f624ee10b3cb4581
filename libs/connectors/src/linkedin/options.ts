import { z } from 'zod';
import { mediaFit } from '../media-fit.ts';

/** What LinkedIn offers beyond the contract's fields. */
export const options = z.strictObject({
  visibility: z
    .enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'])
    .default('PUBLIC')
    .describe('Who may see the post: everyone (when absent), connections of the member (not for pages), or everyone who is logged in.'),
  ...mediaFit,
});
