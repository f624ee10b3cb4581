import { readFile, stat } from 'node:fs/promises';
import { MediaRejected } from '@fanfare/media-tools';
import type { Facts } from '../../media/domain/facts.ts';
import { imageContainsOtherFile } from './image-contains-other-file.ts';
import { imageReader } from './image-reader.ts';
import { gifPixels } from '../layout/gif-pixels.ts';
import { layoutOf } from '../layout/layout.ts';
import { PLACEHOLDER_SOURCE_PIXELS, placeholderOf } from './placeholder.ts';
import type { Probe } from '../probe-media.ts';
import { imageHasLocation } from './image-has-location.ts';

/** More than any platform accepts. The file is read into memory. */
export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** More than any platform accepts. A larger frame is a decompression bomb or a mistake. */
const MAX_FRAME_PIXELS = 64e6;
/** For all frames of an animation together. */
const MAX_TOTAL_PIXELS = 512e6;
const DECODE_TIMEOUT_SECONDS = 20;
/**
 * Larger images take too long to decode while a caller waits, and get their placeholder with the thumbnail. JPEG and PNG images are always decoded,
 * because nothing else shows whether all of their rows are present.
 */
const MAX_DECODED_PIXELS: Readonly<Record<string, number>> = { 'image/webp': 0.5e6 };

/**
 * Reads the properties of an image, and checks that the file is complete, which its header does not show. Checks the limits first, so that an image
 * that is too large is never decoded.
 */
export async function probeImage(file: string, mimeType: string): Promise<Probe> {
  const { size } = await stat(file);
  if (size > MAX_IMAGE_BYTES) throw new MediaRejected('The image is larger than 64 MiB.');
  const open = await imageReader();
  const metadata = await open(file, { limitInputPixels: false, animated: true })
    .metadata()
    .catch((error: unknown) => Promise.reject(damaged(error)));
  const { width, pages = 1, pageHeight: height = metadata.height, autoOrient } = metadata;
  checkPixels({ width, height }, pages);
  const bytes = await readFile(file);
  const layout = layoutOf(mimeType, bytes);
  if (!layout) throw damaged();
  const gif = mimeType === 'image/gif' ? gifPixels(bytes, layout) : undefined;
  if (gif) checkPixels(gif.largest, gif.frames);
  if (imageContainsOtherFile(mimeType, bytes, layout)) {
    throw new MediaRejected('The file is not only an image: it also contains an HTML page, a script, a PDF or an archive.');
  }

  const isLarge = width * height * pages > (MAX_DECODED_PIXELS[mimeType] ?? Infinity);
  const placeholder = isLarge ? undefined : await decode(bytes, { width, height, pages });
  const facts: Facts = {
    has_alpha: metadata.hasAlpha,
    frames: pages,
    colour_space: metadata.space,
    ...(metadata.orientation === undefined ? {} : { orientation: metadata.orientation }),
    has_location: imageHasLocation(bytes, layout),
  };
  return {
    type: 'image',
    mimeType,
    ...(gif?.shown ?? { width: autoOrient.width, height: pages > 1 ? height : autoOrient.height }),
    facts,
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}

function checkPixels({ width, height }: { width: number; height: number }, frames: number): void {
  if (width * height > MAX_FRAME_PIXELS || width * height * frames > MAX_TOTAL_PIXELS) {
    throw new MediaRejected(`The image has too many pixels: ${width} × ${height}${frames > 1 ? ` in ${frames} frames` : ''}.`);
  }
}

/** Decodes every frame, in the smallest size that the format supports. Returns a placeholder of the first frame. */
async function decode(bytes: Buffer, { width, height, pages }: { width: number; height: number; pages: number }): Promise<string> {
  const open = await imageReader();
  const { data, info } = await open(bytes, {
    failOn: 'warning',
    limitInputPixels: MAX_TOTAL_PIXELS,
    sequentialRead: true,
    animated: pages > 1,
  })
    .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
    .resize({ ...smallest(width, height), fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => Promise.reject(damaged(error)));
  const firstHeight = info.pageHeight ?? info.height;
  return placeholderOf(data.subarray(0, info.width * firstHeight * 4), info.width, firstHeight);
}

const damaged = (cause?: unknown) => new MediaRejected('The image is damaged or truncated.', cause);

function smallest(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, PLACEHOLDER_SOURCE_PIXELS / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
