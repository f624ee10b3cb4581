import { open } from 'node:fs/promises';
import sharp from 'sharp';
import type { SpooledFile } from './spool.ts';

// Each image is inspected once: a cache would only use memory.
sharp.cache(false);
sharp.concurrency(1);

export interface Inspection {
  kind: 'image' | 'video';
  /** Detected from the bytes, not from the name: `image/jpeg`, `video/mp4`, … */
  contentType: string;
  width: number;
  height: number;
  durationMs: number | null;
  framesPerSecond: number | null;
  codec: string | null;
  frames: number;
  /** A small WebP of an image; null if there is none. */
  preview: Buffer | null;
}

/** Decodes a whole image for the preview; null if it is not an image. */
export async function inspectImage(bytes: Buffer | SpooledFile): Promise<Inspection | null> {
  try {
    const bmp = inspectBmp(await beginning(bytes), bytes.length);
    if (bmp) return bmp;
    const image = sharp(Buffer.isBuffer(bytes) ? bytes : bytes.path, { failOn: 'error', limitInputPixels: 200_000_000 });
    const { format, width, height, orientation, pages } = await image.metadata();
    const turned = (orientation ?? 1) >= 5;
    return {
      kind: 'image',
      contentType: `image/${format}`,
      width: turned ? height : width,
      height: turned ? width : height,
      durationMs: null,
      framesPerSecond: null,
      codec: null,
      frames: pages ?? 1,
      preview: await image.rotate().resize(720, 720, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 72 }).toBuffer(),
    };
  } catch {
    return null;
  }
}

/** Reads the container's index, with a library that is loaded only for videos; null if it contains no video. */
export async function inspectVideo(file: SpooledFile): Promise<Inspection | null> {
  try {
    const { ALL_FORMATS, FilePathSource, Input } = await import('mediabunny');
    using input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(file.path) });
    const track = await input.getPrimaryVideoTrack();
    if (!track) return null;
    const { averagePacketRate } = await track.computePacketStats(120);
    return {
      kind: 'video',
      contentType: (await input.getFormat()).mimeType,
      width: track.displayWidth,
      height: track.displayHeight,
      durationMs: Math.round((await input.computeDuration()) * 1000),
      framesPerSecond: averagePacketRate,
      codec: track.codec,
      frames: 1,
      preview: null,
    };
  } catch {
    return null;
  }
}

const BMP_HEADER_BYTES = 54;

async function beginning(bytes: Buffer | SpooledFile): Promise<Buffer> {
  if (Buffer.isBuffer(bytes)) return bytes;
  await using file = await open(bytes.path);
  return (await file.read({ buffer: Buffer.alloc(BMP_HEADER_BYTES) })).buffer;
}

/** Facebook accepts BMP, which sharp does not decode: only its header is read. */
function inspectBmp(bytes: Buffer, size: number): Inspection | null {
  if (size < BMP_HEADER_BYTES || bytes.toString('latin1', 0, 2) !== 'BM' || bytes.readUInt32LE(2) !== size) return null;
  return {
    kind: 'image',
    contentType: 'image/bmp',
    width: Math.abs(bytes.readInt32LE(18)),
    height: Math.abs(bytes.readInt32LE(22)),
    durationMs: null,
    framesPerSecond: null,
    codec: null,
    frames: 1,
    preview: null,
  };
}
