import { z } from 'zod';
import { altText } from '../../bytes/upload-parts.ts';
import { text } from '../../text/text.ts';
import { folderField } from '../folders/folder-id.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const details = z
  .object({
    has_alpha: z.boolean().nullable().meta({ description: 'Whether the image has transparency, or may have.' }),
    frames: z.int().nullable().meta({ description: 'The number of frames of an animation; 1 for a still image.' }),
    colour_space: z.string().nullable().meta({ example: 'srgb' }),
    orientation: z.int().nullable().meta({ description: 'The EXIF orientation of the file, 1 to 8. It is applied to width and height.' }),
    rotation: z.int().nullable().meta({ description: 'Clockwise rotation in degrees. It is applied to width and height.' }),
    video_codec: z.string().nullable().meta({ example: 'h264' }),
    audio_codec: z.string().nullable().meta({ description: 'null if there is no audio.' }),
    frame_rate: z.number().nullable().meta({ description: 'Frames per second.' }),
    bit_rate: z.int().nullable().meta({ description: 'Total bit rate in bits per second.' }),
    has_location: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the file may contain location data; `true` if unknown. Published copies never contain it.' }),
  })
  .meta({ id: 'MediaDetails', description: 'Properties detected in the file; null if the format does not have the property.' });

const mediaError = z
  .object({ code: z.string(), detail: z.string().meta({ description: 'What is wrong and what to do about it, as text for people.' }) })
  .meta({ id: 'MediaError' });

/** An image, a video or audio. Members that are known only when it is ready are null or empty until then. */
export const media = z
  .object({
    self: selfLink(),
    id: z.string(),
    business_id: z.uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
    status: z.string().meta({ description: 'ready, processing or failed. A post can use only media that is ready.', example: 'ready' }),
    error: z.union([mediaError, z.null()]).meta({ description: 'Why it failed.' }),
    type: z.string().meta({ description: 'image, video or audio, detected from the file; empty while unknown.' }),
    mime_type: z.string().nullable().meta({ example: 'image/jpeg' }),
    size_bytes: z.int().nullable(),
    width: z.int().nullable().meta({ description: 'Pixels, as displayed.' }),
    height: z.int().nullable(),
    duration_ms: z.int().nullable().meta({ description: 'null for images.' }),
    url: z.string().nullable().meta({ description: 'A stable URL that requires no credential.' }),
    original_url: z.string().nullable().meta({ description: 'The URL it was imported from; null for uploads.' }),
    source: z.string().meta({ description: 'upload, or the URL it was imported from.' }),
    file_name: z.string().nullable().meta({ description: 'The original file name, if known.' }),
    folder_id: z.string().nullable().meta({ description: 'The folder; null for the root.' }),
    alt_text: z.string(),
    description: z.string().meta({ description: 'Alternative text: a description of what it shows.' }),
    transcript: z.string().meta({ description: 'The transcript of the speech: plain text, WebVTT or SRT.' }),
    thumbnail_url: z.string().nullable().meta({ description: 'A small JPEG; null until it is created, and for audio.' }),
    cover_url: z.string().nullable().meta({ description: 'The first frame of a video; null until it is created.' }),
    placeholder: z.string().nullable().meta({ description: 'A tiny image as a data URI, to show while the media loads.' }),
    details: z.union([details, z.null()]),
  })
  .meta({ id: 'Media' });

export const updateMediaBody = z
  .strictObject({
    alt_text: altText().optional(),
    description: text(5000).optional().meta({ description: 'Alternative text: a description of what it shows.' }),
    transcript: text(100_000).optional().meta({
      description: 'The transcript of the speech: plain text, WebVTT or SRT. A text that starts like WebVTT or SRT must be valid.',
    }),
    folder_id: folderField(),
  })
  .meta({ id: 'UpdateMedia' });
