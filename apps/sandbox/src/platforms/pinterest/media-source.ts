import { z } from 'zod';
import { inspectImage } from '../../media/inspect.ts';
import { pull } from '../../media/pull.ts';
import { keepMedia, type Media } from '../../world/media.ts';
import type { World } from '../../world/world.ts';
import { invalidRequest, rejected } from './errors.ts';
import { limits } from './limits.ts';
import { ownUpload, statusOf } from './media.ts';
import type { PinterestCall } from './pinterest-operation.ts';

const { carousel } = limits;
const text = z.string();
/** The kinds of source that require no beta access, except base64. */
export const mediaSource = z.discriminatedUnion('source_type', [
  z.strictObject({ source_type: z.literal('image_url'), url: text, is_standard: z.literal(true).optional() }),
  z.strictObject({
    source_type: z.literal('multiple_image_urls'),
    items: z
      .array(z.strictObject({ url: text, title: text.optional(), description: text.optional(), link: text.optional() }))
      .min(carousel.min, `is too short, minItems=${carousel.min}`)
      .max(carousel.max, `is too long, maxItems=${carousel.max}`),
    index: z.number().int().min(0).optional(),
  }),
  z.strictObject({
    source_type: z.literal('video_id'),
    media_id: z.string().regex(/^\d+$/, "does not match '^\\d+$'"),
    cover_image_url: text.optional(),
    cover_image_content_type: z.enum(['image/jpeg', 'image/png']).optional(),
    cover_image_data: text.optional(),
    cover_image_key_frame_time: z.number().int().min(0).optional(),
    is_standard: z.literal(true).optional(),
  }),
]);

type MediaSource = z.output<typeof mediaSource>;

/** The media of a pin. */
interface PinMedia {
  media: Media[];
  /** The cover of a video. */
  cover: Media | null;
}

/** The media of the pin: images are fetched now, a video must be processed already. */
export async function mediaOf(call: PinterestCall, world: World, source: MediaSource, altText: string | null): Promise<PinMedia> {
  switch (source.source_type) {
    case 'image_url':
      return { media: [await fetchImage(world, source.url, altText)], cover: null };
    case 'multiple_image_urls': {
      if (source.index !== undefined && source.index >= source.items.length) throw invalidRequest("'media_source.index' is out of range");
      const media: Media[] = [];
      for (const { url } of source.items) media.push(await fetchImage(world, url, media.length === 0 ? altText : null));
      return { media, cover: null };
    }
    case 'video_id': {
      const cover = await coverOf(world, source);
      const upload = ownUpload(call, world, source.media_id);
      const media = upload?.media_id ? world.media.get(upload.media_id) : undefined;
      if (!upload || !media || statusOf(upload, world.now()) !== 'succeeded')
        throw rejected(`The media ${source.media_id} is not ready or does not exist.`);
      media.alt_text = altText;
      if (cover) media.preview = cover.preview;
      return { media: [media], cover };
    }
  }
}

/** The given image; null for a frame of the video, which the sandbox cannot extract. */
async function coverOf(world: World, source: Extract<MediaSource, { source_type: 'video_id' }>): Promise<Media | null> {
  const { cover_image_url, cover_image_data, cover_image_key_frame_time } = source;
  const forms = [cover_image_url, cover_image_data, cover_image_key_frame_time].filter((form) => form !== undefined);
  if (forms.length !== 1)
    throw rejected('A cover is required: cover_image_url, cover_image_data or cover_image_key_frame_time, one of them.');
  if (cover_image_data !== undefined && source.cover_image_content_type === undefined)
    throw rejected('cover_image_data needs cover_image_content_type.');
  if (cover_image_url !== undefined) return fetchImage(world, cover_image_url, null);
  return cover_image_data === undefined ? null : coverFromData(world, cover_image_data, source.cover_image_content_type!);
}

async function coverFromData(world: World, data: string, contentType: string): Promise<Media> {
  const bytes = Buffer.from(data, 'base64');
  const image = await inspectImage(bytes);
  if (image?.contentType !== contentType) throw rejected('The cover image could not be read, or is not of its content type.');
  return keepMedia(world, bytes, image, null);
}

async function fetchImage(world: World, url: string, altText: string | null): Promise<Media> {
  const got = await pull(url, limits.imageBytes);
  if (!got.ok) throw rejected('Unable to reach the URL. Please check the URL is correct and try again.');
  if (got.bytes.length > limits.imageBytes) throw rejected('The image is too large.');
  const image = await inspectImage(got.bytes);
  if (!image || !(limits.imageTypes as readonly string[]).includes(image.contentType) || got.contentType !== image.contentType)
    throw rejected('The image at the URL could not be read, or its type is not supported.');
  return keepMedia(world, got.bytes, image, url, altText);
}
