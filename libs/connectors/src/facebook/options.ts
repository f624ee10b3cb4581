import { z } from 'zod';
import { mediaFit } from '../checks/media-fit.ts';

/** Facebook's options beyond the common fields of a post (platform reference 1.2). */
export const options = z.strictObject({
  kind: z
    .enum(['reel', 'video'])
    .optional()
    .describe(
      'How to publish a video: as a reel or as a video of the page. Defaults to a reel if the video can be one: 9:16, at least 540 × 960 pixels, 24 to 60 frames per second, 3 to 90 seconds.',
    ),
  is_ai_generated: z.boolean().optional().describe('Whether the reel was made with AI. Facebook then labels it. Reels only.'),
  ...mediaFit,
});
