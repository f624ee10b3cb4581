import { z } from 'zod';

/** What Instagram offers beyond the contract's fields. */
export const options = z.strictObject({
  collaborators: z
    .array(z.string().regex(/^@?[A-Za-z0-9._]{1,30}$/))
    .max(3)
    .optional()
    .describe('Usernames of public accounts that are invited as co-authors; at most 3.'),
  share_to_feed: z.boolean().optional().describe('Whether a reel is shown among the posts too; true when absent.'),
});
