import { rgbaToThumbHash, thumbHashToRGBA } from 'thumbhash';
import { imageReader } from './image-reader.ts';

/** The longest side of the source of a placeholder, which has only about 7 × 7 colors. */
export const PLACEHOLDER_SOURCE_PIXELS = 32;

/** @returns a blurred image of at most 32 × 32 pixels, as a data URI of a few hundred bytes. https://evanw.github.io/thumbhash/ */
export async function placeholderOf(rgba: Uint8Array, width: number, height: number): Promise<string> {
  const open = await imageReader();
  const blurred = thumbHashToRGBA(rgbaToThumbHash(width, height, rgba));
  const webp = await open(blurred.rgba, { raw: { width: blurred.w, height: blurred.h, channels: 4 } })
    .webp({ quality: 50, alphaQuality: 50, effort: 0 })
    .toBuffer();
  return `data:image/webp;base64,${webp.toString('base64')}`;
}
