import type { SKRSContext2D } from '@napi-rs/canvas';
import chroma from 'chroma-js';
import type { Bounds } from '../text/lay-out.ts';

/** WCAG 2.2, 1.4.3 (AA), for text of any size. */
export const LEAST_CONTRAST = 4.5;
/** The background of a text: the relative luminance of its darkest and lightest parts. */
interface Backdrop {
  readonly darkest: number;
  readonly lightest: number;
}

/** Ignores single pixels, such as the edge of a shape, which do not affect legibility. */
const OUTLIERS = 0.01;
const MOST_SAMPLES = 4_000;

export function readBackdrop(context: SKRSContext2D, { x, y, width, height }: Bounds): Backdrop {
  const left = Math.max(0, Math.floor(x));
  const top = Math.max(0, Math.floor(y));
  const across = Math.min(context.canvas.width - left, Math.ceil(width));
  const down = Math.min(context.canvas.height - top, Math.ceil(height));
  if (across <= 0 || down <= 0) return { darkest: 1, lightest: 1 };
  const { data } = context.getImageData(left, top, across, down);
  const pixels = across * down;
  const step = Math.max(1, Math.floor(pixels / MOST_SAMPLES));
  const found: number[] = [];
  for (let pixel = 0; pixel < pixels; pixel += step) {
    const at = pixel * 4;
    found.push(luminance(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0));
  }
  found.sort((a, b) => a - b);
  const edge = Math.floor(found.length * OUTLIERS);
  return { darkest: found[edge] ?? 0, lightest: found[found.length - 1 - edge] ?? 1 };
}

/** The lowest contrast of a color with its background; 1 if a part of the background is as bright. */
export function contrastOn(colour: string, { darkest, lightest }: Backdrop): number {
  const own = chroma(colour).luminance();
  if (own >= darkest && own <= lightest) return 1;
  return Math.min(ratio(own, darkest), ratio(own, lightest));
}

/** The first color with enough contrast, or else the one with the most. */
export function mostReadable(colours: readonly string[], backdrop: Backdrop): { readonly colour: string; readonly contrast: number } {
  const rated = colours.map((colour) => ({ colour, contrast: contrastOn(colour, backdrop) }));
  const good = rated.find(({ contrast }) => contrast >= LEAST_CONTRAST);
  return good ?? rated.reduce((best, one) => (one.contrast > best.contrast ? one : best));
}

const ratio = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** Relative luminance (WCAG 2.2) of an sRGB color. */
export const luminance = (red: number, green: number, blue: number): number =>
  0.2126 * (LINEAR[red] ?? 0) + 0.7152 * (LINEAR[green] ?? 0) + 0.0722 * (LINEAR[blue] ?? 0);
