import { stat } from 'node:fs/promises';
import type { Sharp, SharpOptions } from 'sharp';
import { isWhole } from './is-whole.ts';
import { MediaRefused } from './media-refused.ts';
import type { Probe } from './probe-media.ts';

/** More than any platform takes; it is read into memory. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** More than any platform takes; a frame over this is a bomb or a mistake. */
const MAX_FRAME_PIXELS = 64e6;
/** Of all frames of an animation together. */
const MAX_TOTAL_PIXELS = 512e6;
const DECODE_TIMEOUT_SECONDS = 20;

/** Reads an image's size and decodes every pixel of it, because a header says nothing about the rest. */
export async function probeImage(file: string, mimeType: string): Promise<Probe> {
  if ((await stat(file)).size > MAX_IMAGE_BYTES) throw new MediaRefused('An image has at most 64 MiB.');
  if (!(await isWhole(mimeType, file))) throw damaged();
  const open = await imageReader();
  const metadata = await open(file, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => Promise.reject(damaged(error)));
  const { width, height, pages = 1, autoOrient } = metadata;
  if (width * height > MAX_FRAME_PIXELS || width * height * pages > MAX_TOTAL_PIXELS) {
    throw new MediaRefused(`The image has too many pixels: ${width} × ${height}${pages > 1 ? ` in ${pages} frames` : ''}.`);
  }
  await open(file, { failOn: 'error', limitInputPixels: MAX_TOTAL_PIXELS, sequentialRead: true, animated: pages > 1 })
    .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
    .stats()
    .catch((error: unknown) => Promise.reject(damaged(error)));
  return { type: 'image', mimeType, width: autoOrient.width, height: autoOrient.height };
}

const damaged = (cause?: unknown) => new MediaRefused('The image is damaged or cut short.', cause);

/** Loaded with the first image: libvips takes memory that an idle process need not spend. */
async function imageReader(): Promise<(file: string, options: SharpOptions) => Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
