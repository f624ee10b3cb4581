import { gifLayout } from './gif.ts';
import { jpegLayout } from './jpeg.ts';
import { pngLayout } from './png.ts';
import { webpLayout } from './webp.ts';

/** A piece of an image file, by the name that its format gives it. */
export interface Part {
  readonly name: string;
  readonly start: number;
  /** The first byte after it. */
  readonly end: number;
  /** Whether it is needed to show the picture; everything else is metadata. */
  readonly isImageData: boolean;
}

/** What a file is made of. */
export interface Layout {
  readonly parts: readonly Part[];
  /** The first byte after the image's own end mark; files may go on after it. */
  readonly end: number;
}

/**
 * Walks a file of one of the kept image types from part to part; undefined when it does not reach its own end mark, or is damaged on the way.
 * The decoder does not tell all of that: libvips fills up an interlaced PNG that is cut short and leaves out the last frames of a GIF.
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
