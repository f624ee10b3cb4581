import type { Layout } from './layout.ts';

interface GifPixels {
  /** What viewers show: the logical screen, and more where the first frame does not fit on it. What is too much of later frames they cut off. */
  readonly shown: Size;
  /** What holds the logical screen and every frame. */
  readonly largest: Size;
  readonly frames: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * How large a GIF is, by all of its descriptors. The decoder does not tell: libnsgif takes the first frame for the screen when that
 * says 640 × 480 or some other sizes, or has more than 2048 pixels each way. GIF89a specification, 18 and 20.
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
