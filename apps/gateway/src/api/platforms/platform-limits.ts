import { z } from 'zod';

const count = (description: string) => z.int().optional().meta({ description });
const number = (description: string) => z.number().optional().meta({ description });
const types = () => z.array(z.string()).meta({ description: 'What is taken as it is; most others are converted.' });

const text = z
  .object({
    max: z.int(),
    unit: z.string().meta({
      description:
        'How the platform counts: code_points; utf16 (units); utf8_bytes; x_weighted, by the configuration of twitter-text; little_text, code points with a mention of LinkedIn as its name alone.',
      example: 'x_weighted',
    }),
    max_hashtags: count('Words with # at most.'),
    max_mentions: count('Words with @ at most.'),
    max_cashtags: count('Words with $ at most.'),
    forbidden: z.array(z.string()).optional().meta({ description: 'Characters that are refused.' }),
  })
  .meta({ id: 'TextLimit' });

const media = {
  max: z.int().meta({ description: 'In one post.' }),
  mime_types: types(),
  min_bytes: count('Of the file.'),
  max_bytes: count('Of the file.'),
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
      .meta({ description: 'Of moving pictures, where they are treated apart: each stands alone.' }),
    max_frames: count('Of a moving picture.'),
  })
  .meta({ id: 'ImageLimits' });

const videos = z
  .object({
    ...media,
    min_duration_ms: count('Milliseconds.'),
    max_duration_ms: count('Milliseconds.'),
    max_width: count('Pixels.'),
    max_height: count('Pixels.'),
    max_longer_side: count('Pixels, whether that is the width or the height.'),
    max_shorter_side: count('Pixels, whether that is the width or the height.'),
    min_frame_rate: number('Pictures a second.'),
    max_frame_rate: number('Pictures a second.'),
    text: text.optional().meta({ description: 'Of the caption beside a video, where that differs.' }),
  })
  .meta({ id: 'VideoLimits' });

const members = {
  text,
  title: text.optional().meta({ description: 'Absent where the platform has no title.' }),
  needs_options: z.array(z.string()).optional().meta({ description: 'Options without which nothing can be published.' }),
  needs_title: z.boolean().optional().meta({ description: 'There has to be a title, or a caption to take it from.' }),
  comment: text.optional().meta({ description: 'Of the first comment, where it is known.' }),
  link: text.optional().meta({ description: 'Of the address, where it is limited.' }),
  link_alone: z.boolean().optional().meta({ description: 'A link without a text or media is something to publish.' }),
  options_alone: z
    .boolean()
    .optional()
    .meta({ description: 'Such a post needs no text or media: its options say what there is to publish.' }),
  appends_link: z.boolean().optional().meta({ description: 'The link stands behind the caption, and counts as part of it.' }),
  shows_link: z
    .enum(['always', 'without_media'])
    .optional()
    .meta({ description: 'The link is shown, without_media: only in posts without pictures and videos. Absent where it never is.' }),
  no_comments: z.boolean().optional().meta({ description: 'Nobody can comment: the first comment is not sent.' }),
  text_only: z.boolean().meta({ description: 'A post without media can be published.' }),
  max_media: z.int().meta({ description: 'Pictures and videos together.' }),
  mixed_media: z.boolean().meta({ description: 'Pictures and videos may stand in one post.' }),
  images,
  videos,
  max_alt_text_length: count('Characters.'),
  video_alt_text: z.boolean().optional().meta({ description: 'The alt text of a video is sent too, and not only those of pictures.' }),
};

/** What a platform accepts. A member that is absent is not limited, or not documented. */
export const platformLimits = z
  .object({
    ...members,
    variants: z
      .array(
        z.object({
          when: z.record(z.string(), z.union([z.string(), z.boolean()])).meta({ description: 'Options, and what they are set to.' }),
          limits: z.object(members).partial(),
        }),
      )
      .optional()
      .meta({ description: 'What differs by the options: members that replace those above, the later ones last.' }),
  })
  .meta({ id: 'PlatformLimits' });
