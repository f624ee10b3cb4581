import { stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { imageReader } from '../probing/image-reader.ts';
import { MediaRefused } from '../probing/media-refused.ts';
import { PLACEHOLDER_SOURCE_PIXELS, placeholderOf } from '../probing/placeholder.ts';
import { place, type Placement } from './geometry.ts';
import type { Made } from './make.ts';
import type { FitRecipe } from './recipe.ts';

/** Where a file may not be larger than so many bytes, it loses quality first, and then size. */
const QUALITIES = [90, 80, 70, 60, 50];
const SHRINK = 0.85;
const MAX_SHRINKS = 24;
const WHITE = '#ffffff';

/**
 * Makes a JPEG or PNG of an image: turned upright, in sRGB, within the recipe's bounds, without metadata of any kind. Of an animation, the first frame.
 * @throws MediaRefused when the bounds cannot be kept
 */
export async function makeImage(file: string, recipe: FitRecipe, output: string): Promise<Made> {
  const open = await imageReader();
  const { autoOrient } = await open(file, { limitInputPixels: false }).metadata();
  const maxBytes = recipe.max_bytes ?? Infinity;
  const qualities = recipe.max_bytes === undefined ? QUALITIES.slice(0, 1) : QUALITIES;
  for (let shrinks = 0; shrinks <= MAX_SHRINKS; shrinks++) {
    const placement = place(autoOrient, recipe, 1, SHRINK ** shrinks);
    if (!placement) break;
    // What is too large at less than half the quality by far needs fewer pixels, so the steps in between are skipped after the first round.
    for (const quality of shrinks === 0 ? qualities : qualities.slice(-1)) {
      await encode(onCanvas(open(file, { failOn: 'error', limitInputPixels: false }), placement, recipe), recipe, quality).toFile(output);
      if ((await stat(output)).size <= maxBytes) return describe(output, recipe);
    }
  }
  throw new MediaRefused('The image cannot be brought within these bounds.');
}

function onCanvas(image: Sharp, { picture, canvas }: Placement, recipe: FitRecipe): Sharp {
  const background = recipe.background ?? WHITE;
  const left = Math.floor((canvas.width - picture.width) / 2);
  const top = Math.floor((canvas.height - picture.height) / 2);
  const scaled = image
    .autoOrient()
    .resize({ ...picture, fit: 'fill' })
    .toColourspace('srgb');
  // Padding stays white, or as asked for, also around a picture that keeps its transparent parts.
  const flat = recipe.mime_type === 'image/jpeg' || recipe.background !== undefined ? scaled.flatten({ background }) : scaled;
  return flat.extend({ left, top, right: canvas.width - picture.width - left, bottom: canvas.height - picture.height - top, background });
}

function encode(image: Sharp, { mime_type, max_bytes }: FitRecipe, quality: number): Sharp {
  if (mime_type === 'image/jpeg') return image.jpeg({ quality });
  return image.png(
    max_bytes === undefined || quality === QUALITIES[0] ? { compressionLevel: 9 } : { palette: true, quality, compressionLevel: 9 },
  );
}

async function describe(output: string, { mime_type }: FitRecipe): Promise<Made> {
  const open = await imageReader();
  const { width, height } = await open(output).metadata();
  const tiny = await open(output)
    .resize(PLACEHOLDER_SOURCE_PIXELS, PLACEHOLDER_SOURCE_PIXELS, { fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { mimeType: mime_type, width, height, placeholder: await placeholderOf(tiny.data, tiny.info.width, tiny.info.height) };
}
