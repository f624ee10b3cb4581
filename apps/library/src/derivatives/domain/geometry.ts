import type { FitRecipe } from './recipe.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A scaled image, centered on a canvas of at least its size. */
export interface Placement {
  readonly scaled: Size;
  readonly canvas: Size;
}

type Bounds = Pick<FitRecipe, 'max_width' | 'max_height' | 'min_width' | 'min_ratio' | 'max_ratio'>;

/**
 * Fits an image or video into the bounds of a recipe: scaled in proportion and padded to the ratio, never cropped. Sizes are multiples of `step`: 2 for
 * video, because its color planes have half the resolution.
 * @param shrink an additional factor, to save bytes
 * @returns undefined if the bounds contradict each other
 */
export function place(source: Size, bounds: Bounds, step = 1, shrink = 1): Placement | undefined {
  const { min_width = 1, min_ratio = 0, max_ratio = Infinity } = bounds;
  const max_width = down(bounds.max_width ?? Infinity, step);
  const max_height = down(bounds.max_height ?? Infinity, step);
  const padded = pad(source, min_ratio, max_ratio);
  const largest = Math.min(max_width / padded.width, max_height / padded.height);
  const smallest = min_width / padded.width;
  if (smallest > largest) return undefined;
  const scale = Math.max(smallest, Math.min(largest, Math.max(1, smallest) * shrink));

  // Rounds the image down and the canvas up, to stay within the bounds.
  const scaled = { width: fit(source.width * scale, step), height: fit(source.height * scale, step) };
  const full = pad(scaled, min_ratio, max_ratio);
  const canvas = {
    width: Math.min(max_width, up(Math.max(full.width, min_width), step)),
    height: Math.min(max_height, up(full.height, step)),
  };
  return canvas.width >= scaled.width && canvas.height >= scaled.height ? { scaled, canvas } : undefined;
}

function pad({ width, height }: Size, minRatio: number, maxRatio: number): Size {
  return { width: Math.max(width, height * minRatio), height: Math.max(height, width / maxRatio) };
}

/** Removes rounding errors of the multiplications. */
const exact = (value: number) => Math.round(value * 1e6) / 1e6;
const down = (value: number, step: number) => (Number.isFinite(value) ? Math.floor(value / step) * step : value);
const up = (value: number, step: number) => Math.ceil(exact(value) / step) * step;
const fit = (value: number, step: number) => Math.max(step, Math.floor(exact(value) / step) * step);
