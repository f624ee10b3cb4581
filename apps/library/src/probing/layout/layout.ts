import { gifLayout } from './gif.ts';
import { jpegLayout } from './jpeg.ts';
import { pngLayout } from './png.ts';
import { webpLayout } from './webp.ts';

/** A part of an image file, with its name in the format. */
export interface Part {
  readonly name: string;
  readonly start: number;
  /** The position after the last byte. */
  readonly end: number;
  /** Whether it is needed to show the image. Everything else is metadata. */
  readonly isImageData: boolean;
}

/** The parts of a file. */
export interface Layout {
  readonly parts: readonly Part[];
  /** The position after the end mark of the image; more data may follow. */
  readonly end: number;
}

/**
 * Splits an image of an accepted type into its parts. Undefined if it is damaged, or has no end mark. The decoder does not detect that in all cases:
 * libvips fills the missing rows of a truncated interlaced PNG, and omits the last frames of a truncated GIF.
 */
export function layoutOf(mimeType: string, bytes: Buffer): Layout | undefined {
  return LAYOUTS[mimeType]?.(bytes);
}

const LAYOUTS: Readonly<Record<string, (bytes: Buffer) => Layout | undefined>> = {
  'image/jpeg': jpegLayout,
  'image/png': pngLayout,
  'image/gif': gifLayout,
  'image/webp': webpLayout,
};
