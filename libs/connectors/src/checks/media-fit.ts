import { z } from 'zod';
import type { Options } from '../connector.ts';

/** Options of every platform that limits aspect ratios: what happens to media with other ratios. */
export const mediaFit = {
  media_fit: z
    .enum(['refuse', 'pad'])
    .optional()
    .describe(
      'What happens to an image or video whose aspect ratio the platform does not accept: refuse (the default) rejects the post; pad adds padding on two of its sides.',
    ),
  pad_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color, such as #ffffff')
    .optional()
    .describe('Color of the padding that media_fit adds, as #rrggbb. Defaults to white.'),
};

/** The color to pad with, if padding is chosen. */
export function padColorOf({ media_fit, pad_color }: Options): string | undefined {
  if (media_fit !== 'pad') return undefined;
  return typeof pad_color === 'string' ? pad_color.toLowerCase() : '#ffffff';
}
