import { stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { MediaRejected } from '@fanfare/media-tools';
import { imageReader } from '../probing/images/image-reader.ts';
import { PLACEHOLDER_SOURCE_PIXELS, placeholderOf } from '../probing/images/placeholder.ts';
import { place, type Placement } from './domain/geometry.ts';
import type { Made } from './make.ts';
import type { FitRecipe } from './domain/recipe.ts';

/** To keep `max_bytes`, quality is reduced first, then size. */
const QUALITIES = [90, 80, 70, 60, 50];
/** The quality of a PNG is its number of colors. Few steps, because choosing colors is slow. */
const PNG_QUALITIES = [90, 50];
/** The least reduction of a side at each try. Bytes grow a little slower than the area. */
const MAX_STEP = 0.9;
const MAX_TRIES = 16;
const WHITE = '#ffffff';

/**
 * Converts an image to a JPEG or PNG: upright, in sRGB, within the recipe's bounds, without any metadata. Uses the first frame of an animation.
 * @throws MediaRejected if the bounds cannot be kept
 */
export async function makeImage(file: string, recipe: FitRecipe, output: string): Promise<Made> {
  const open = await imageReader();
  const { autoOrient } = await open(file, { limitInputPixels: false }).metadata();
  const maxBytes = recipe.max_bytes ?? Infinity;
  const all = recipe.mime_type === 'image/png' ? PNG_QUALITIES : QUALITIES;
  const qualities = recipe.max_bytes === undefined ? all.slice(0, 1) : all;
  let shrink = 1;
  let lastWidth = Infinity;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const placement = place(autoOrient, recipe, 1, shrink);
    // The minimum size is reached.
    if (!placement || placement.scaled.width >= lastWidth) break;
    let size = 0;
    for (const quality of tries === 0 ? qualities : qualities.slice(-1)) {
      const image = open(file, { failOn: 'error', limitInputPixels: false });
      await encode(onCanvas(image, placement, recipe), recipe, quality).toFile(output);
      ({ size } = await stat(output));
      if (size <= maxBytes) return describe(output, recipe);
    }
    lastWidth = placement.scaled.width;
    shrink *= Math.min(MAX_STEP, Math.sqrt(maxBytes / size));
  }
  throw new MediaRejected('The image cannot be converted to fit these limits.');
}

function onCanvas(image: Sharp, { scaled, canvas }: Placement, recipe: FitRecipe): Sharp {
  const background = recipe.background ?? WHITE;
  const left = Math.floor((canvas.width - scaled.width) / 2);
  const top = Math.floor((canvas.height - scaled.height) / 2);
  const resized = image
    .autoOrient()
    .resize({ ...scaled, fit: 'fill' })
    .toColourspace('srgb');
  // The padding is opaque even if the image keeps its transparency.
  const flat = recipe.mime_type === 'image/jpeg' || recipe.background !== undefined ? resized.flatten({ background }) : resized;
  return flat.extend({ left, top, right: canvas.width - scaled.width - left, bottom: canvas.height - scaled.height - top, background });
}

function encode(image: Sharp, { mime_type, max_bytes }: FitRecipe, quality: number): Sharp {
  if (mime_type === 'image/jpeg') return image.jpeg({ quality });
  return image.png(
    max_bytes === undefined || quality === QUALITIES[0]
      ? { compressionLevel: 9 }
      : { palette: true, quality, effort: 3, compressionLevel: 9 },
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
