import type { TextLimit } from '@fanfare/connectors/preflight';
import { z } from 'zod';

const count = (description: string) => z.int().optional().meta({ description });
const number = (description: string) => z.number().optional().meta({ description });
const types = () => z.array(z.string()).meta({ description: 'Types that are published unchanged; most other types are converted.' });

const TEXT_UNITS: Readonly<Record<TextLimit['unit'], string>> = {
  code_points: 'Unicode code points',
  utf16: 'UTF-16 code units',
  utf8_bytes: 'bytes in UTF-8',
  x_weighted: 'the weights of the library twitter-text, by which a URL counts as 23',
  little_text: 'Unicode code points, where a mention counts as its name only',
};

const text = z
  .object({
    max: z.int(),
    unit: z.string().meta({
      description: `How the platform counts characters. ${Object.entries(TEXT_UNITS)
        .map(([unit, counted]) => `\`${unit}\`: ${counted}.`)
        .join(' ')}`,
      example: 'x_weighted',
    }),
    max_hashtags: count('The maximum number of hashtags (#).'),
    max_mentions: count('The maximum number of mentions (@).'),
    max_cashtags: count('The maximum number of cashtags ($).'),
    forbidden: z.array(z.string()).optional().meta({ description: 'Characters that are not allowed.' }),
  })
  .meta({ id: 'TextLimit' });

const media = {
  max: z.int().meta({ description: 'The maximum number in one post.' }),
  mime_types: types(),
  min_bytes: count('The minimum file size, in bytes.'),
  max_bytes: count('The maximum file size, in bytes.'),
  min_side: count('The minimum length of the shorter side, in pixels.'),
  min_ratio: number('The minimum width divided by height.'),
  max_ratio: number('The maximum width divided by height.'),
};

const images = z
  .object({
    ...media,
    max_side: count('The maximum length of the longer side, in pixels.'),
    max_pixels: count('The maximum number of pixels: width times height.'),
    gif: z
      .object({
        max_bytes: z.int(),
        max_width: count('The maximum width, in pixels.'),
        max_height: count('The maximum height, in pixels.'),
      })
      .optional()
      .meta({ description: 'Limits of animated images, where they differ: such an image must be the only media of the post.' }),
    max_frames: count('The maximum number of frames of an animated image.'),
  })
  .meta({ id: 'ImageLimits' });

const videos = z
  .object({
    ...media,
    min_duration_ms: count('The minimum length, in milliseconds.'),
    max_duration_ms: count('The maximum length, in milliseconds.'),
    max_width: count('The maximum width, in pixels.'),
    max_height: count('The maximum height, in pixels.'),
    max_longer_side: count('The maximum length of the longer side, in pixels.'),
    max_shorter_side: count('The maximum length of the shorter side, in pixels.'),
    min_frame_rate: number('The minimum number of frames per second.'),
    max_frame_rate: number('The maximum number of frames per second.'),
    text: text.optional().meta({ description: 'The limit of the caption of a video, where it differs.' }),
  })
  .meta({ id: 'VideoLimits' });

const members = {
  text,
  title: text.optional().meta({ description: 'Absent if the platform has no title.' }),
  needs_options: z.array(z.string()).optional().meta({ description: 'Options that are required to publish.' }),
  needs_title: z.boolean().optional().meta({ description: 'Whether a title is required, or a caption to derive it from.' }),
  comment: text.optional().meta({ description: 'The limit of the first comment, where known.' }),
  link: text.optional().meta({ description: 'The limit of the URL, where there is one.' }),
  link_alone: z.boolean().optional().meta({ description: 'Whether a link can be published without text or media.' }),
  options_alone: z
    .boolean()
    .optional()
    .meta({ description: 'Whether a post requires no text or media, because its options contain what to publish.' }),
  appends_link: z.boolean().optional().meta({ description: 'Whether the link is appended to the caption, and counts as part of it.' }),
  shows_link: z
    .enum(['always', 'without_media'])
    .optional()
    .meta({ description: 'When the link is shown; without_media: only in posts without images and videos. Absent if it is never shown.' }),
  no_comments: z.boolean().optional().meta({ description: 'Whether comments are turned off. If so, the first comment is not sent.' }),
  text_only: z.boolean().meta({ description: 'Whether a post without media can be published.' }),
  max_media: z.int().meta({ description: 'The maximum number of images and videos together.' }),
  mixed_media: z.boolean().meta({ description: 'Whether a post can contain both images and videos.' }),
  images,
  videos,
  max_alt_text_length: count('The maximum length of an alternative text, in characters.'),
  video_alt_text: z.boolean().optional().meta({ description: 'Whether alternative texts are sent for videos too, not only for images.' }),
};

/** What a platform accepts. An absent member has no limit, or no documented one. */
export const platformLimits = z
  .object({
    ...members,
    variants: z
      .array(
        z.object({
          when: z
            .record(z.string(), z.union([z.string(), z.boolean()]))
            .meta({ description: 'The options, and the values for which these limits apply.' }),
          limits: z.object(members).partial(),
        }),
      )
      .optional()
      .meta({
        description:
          'Limits that are different if options have certain values. The members of `limits` replace those above; if several entries apply, later ones take precedence.',
      }),
  })
  .meta({ id: 'PlatformLimits' });
