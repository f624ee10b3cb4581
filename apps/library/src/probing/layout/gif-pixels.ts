import type { Layout } from './layout.ts';

interface GifPixels {
  /** The size that viewers show: the logical screen, extended by the first frame if it does not fit. Later frames are cropped. */
  readonly shown: Size;
  /** The size that contains the logical screen and all frames. */
  readonly largest: Size;
  readonly frames: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of a GIF, from all of its descriptors (GIF89a specification, 18 and 20). The decoder cannot be used: libnsgif uses the size of the first
 * frame if the screen has 640 × 480 or certain other sizes, or more than 2048 pixels in each direction.
 */
export function gifPixels(bytes: Buffer, { parts }: Layout): GifPixels {
  const at = (start: number): Size => ({ width: bytes.readUInt16LE(start), height: bytes.readUInt16LE(start + 2) });
  const screen = at(6);
  const ends = parts
    .filter(({ name }) => name === 'image')
    .map(({ start }) => {
      const [offset, size] = [at(start + 1), at(start + 5)];
      return { width: offset.width + size.width, height: offset.height + size.height };
    });
  return { shown: around([screen, ...ends.slice(0, 1)]), largest: around([screen, ...ends]), frames: ends.length };
}

const around = (sizes: readonly Size[]): Size =>
  sizes.reduce((most, { width, height }) => ({ width: Math.max(most.width, width), height: Math.max(most.height, height) }));
