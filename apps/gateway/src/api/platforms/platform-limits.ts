import { z } from 'zod';

const count = (description: string) => z.int().optional().meta({ description });
const number = (description: string) => z.number().optional().meta({ description });
const types = () => z.array(z.string()).meta({ description: 'Types that are published unchanged; most other types are converted.' });

const text = z
  .object({
    max: z.int(),
    unit: z.string().meta({
      description:
        'How the platform counts characters: code_points; utf16 (code units); utf8_bytes; x_weighted (the configuration of twitter-text); little_text (code points, where a LinkedIn mention counts as its name only).',
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
  min_bytes: count('The minimum file size.'),
  max_bytes: count('The maximum file size.'),
  min_side: count('Pixels of the shorter side.'),
  min_ratio: number('Width divided by height.'),
  max_ratio: number('Width divided by height.'),
};

const images = z
  .object({
    ...media,
    max_side: count('Pixels of the longer side.'),
    max_pixels: count('Width times height.'),
    gif: z
      .object({
        max_bytes: z.int(),
        max_width: count('Pixels.'),
        max_height: count('Pixels.'),
      })
      .optional()
      .meta({ description: 'Limits of animated images, where they differ: such an image must be the only media of the post.' }),
    max_frames: count('The maximum number of frames of an animated image.'),
  })
  .meta({ id: 'ImageLimits' });

const videos = z
  .object({
    ...media,
    min_duration_ms: count('Milliseconds.'),
    max_duration_ms: count('Milliseconds.'),
    max_width: count('Pixels.'),
    max_height: count('Pixels.'),
    max_longer_side: count('Pixels of the side, width or height.'),
    max_shorter_side: count('Pixels of the side, width or height.'),
    min_frame_rate: number('Frames per second.'),
    max_frame_rate: number('Frames per second.'),
    text: text.optional().meta({ description: 'The limit of the caption of a video, where it differs.' }),
  })
  .meta({ id: 'VideoLimits' });

const members = {
  text,
  title: text.optional().meta({ description: 'Absent if the platform has no title.' }),
  needs_options: z.array(z.string()).optional().meta({ description: 'Options that are required to publish.' }),
  needs_title: z.boolean().optional().meta({ description: 'A title is required, or a caption to derive it from.' }),
  comment: text.optional().meta({ description: 'The limit of the first comment, where known.' }),
  link: text.optional().meta({ description: 'The limit of the URL, where there is one.' }),
  link_alone: z.boolean().optional().meta({ description: 'A link can be published without text or media.' }),
  options_alone: z
    .boolean()
    .optional()
    .meta({ description: 'A post with these options requires no text or media: the options contain what to publish.' }),
  appends_link: z.boolean().optional().meta({ description: 'The link is appended to the caption and counts as part of it.' }),
  shows_link: z
    .enum(['always', 'without_media'])
    .optional()
    .meta({ description: 'When the link is shown; without_media: only in posts without images and videos. Absent if it is never shown.' }),
  no_comments: z.boolean().optional().meta({ description: 'Comments are turned off: the first comment is not sent.' }),
  text_only: z.boolean().meta({ description: 'A post without media can be published.' }),
  max_media: z.int().meta({ description: 'Images and videos together.' }),
  mixed_media: z.boolean().meta({ description: 'A post can contain both images and videos.' }),
  images,
  videos,
  max_alt_text_length: count('Characters.'),
  video_alt_text: z.boolean().optional().meta({ description: 'Alt text is sent for videos too, not only for images.' }),
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
            .meta({ description: 'The options, and the values with which these limits apply.' }),
          limits: z.object(members).partial(),
        }),
      )
      .optional()
      .meta({ description: 'Differences by option: these members replace those above; later entries win.' }),
  })
  .meta({ id: 'PlatformLimits' });
