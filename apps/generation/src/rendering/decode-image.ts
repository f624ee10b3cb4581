import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { RenderRejected } from './renderer.ts';

const MAX_PIXELS = 40_000_000;
/** The longest side of the largest page. */
const MAX_SIDE = 1_920;

/**
 * Pixels of an encoded image, upright and no larger than a page needs.
 * @param what the name in error messages: `image` or `logo`
 * @throws RenderRejected
 */
export async function decodeImage(bytes: Uint8Array, what: 'image' | 'logo'): Promise<Canvas> {
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .rotate()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const canvas = createCanvas(width, height);
    const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
    canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
    return canvas;
  } catch (cause) {
    const isLarge = (cause as Error).message.includes('pixel limit');
    const why = isLarge ? 'has more than 40 megapixels' : 'cannot be decoded';
    throw new RenderRejected(`The ${what} ${why}. Use a JPEG, PNG or WebP file that opens in other programs.`, { cause });
  }
}
