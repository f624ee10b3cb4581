import { z } from 'zod';

/** What X offers beyond the contract's fields. */
export const options = z.strictObject({
  reply_settings: z
    .enum(['following', 'mentionedUsers', 'subscribers', 'verified'])
    .optional()
    .describe('Who may reply; everyone when absent.'),
});
