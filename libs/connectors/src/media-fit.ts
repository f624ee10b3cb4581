import { z } from 'zod';
import type { Options } from './connector.ts';

/** What becomes of a picture or video whose ratio a platform does not take: options of every platform that limits it. */
export const mediaFit = {
  media_fit: z
    .enum(['refuse', 'pad'])
    .optional()
    .describe(
      'What becomes of a picture or video whose ratio of width to height is not taken: refuse, when absent, or pad, which adds as much at two of its sides as is missing.',
    ),
  pad_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #ffffff')
    .optional()
    .describe('The colour of what media_fit adds, as #rrggbb; white when absent.'),
};

/** The colour to pad with, where that is chosen. */
export function padColorOf({ media_fit, pad_color }: Options): string | undefined {
  if (media_fit !== 'pad') return undefined;
  return typeof pad_color === 'string' ? pad_color.toLowerCase() : '#ffffff';
}
