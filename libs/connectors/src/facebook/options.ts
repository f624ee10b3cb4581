import { z } from 'zod';
import { mediaFit } from '../media-fit.ts';

/** What Facebook offers beyond the contract's fields (platform reference 1.2). */
export const options = z.strictObject({
  kind: z
    .enum(['reel', 'video'])
    .optional()
    .describe(
      'How a video is published: as a reel, which has to be 9:16, at least 540 × 960, of 24 to 60 frames a second and 3 to 90 seconds long, or as a video of the page. When absent, as a reel where it can be one.',
    ),
  is_ai_generated: z.boolean().optional().describe('Whether a reel is made by AI; Facebook then labels it so. Reels only.'),
  ...mediaFit,
});
