import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import sharp from 'sharp';

export interface Inspection {
  kind: 'image' | 'video';
  /** Of the bytes, whatever they were called: `image/jpeg`, `video/mp4`, … */
  contentType: string;
  width: number;
  height: number;
  durationMs: number | null;
  framesPerSecond: number | null;
  codec: string | null;
  frames: number;
}

/** Decodes an image to its last row; null when it is none. */
export async function inspectImage(bytes: Buffer): Promise<Inspection | null> {
  try {
    const bmp = inspectBmp(bytes);
    if (bmp) return bmp;
    const image = sharp(bytes, { failOn: 'error', limitInputPixels: 200_000_000 });
    const { format, width, height, orientation, pages } = await image.metadata();
    await image.stats();
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
    };
  } catch {
    return null;
  }
}

/** Reads the container's index; null when there is no video in it. */
export async function inspectVideo(bytes: Buffer): Promise<Inspection | null> {
  try {
    using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
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
    };
  } catch {
    return null;
  }
}

/** Facebook takes BMP, which sharp does not decode: its header has to do. */
function inspectBmp(bytes: Buffer): Inspection | null {
  if (bytes.length < 54 || bytes.toString('latin1', 0, 2) !== 'BM' || bytes.readUInt32LE(2) !== bytes.length) return null;
  return {
    kind: 'image',
    contentType: 'image/bmp',
    width: Math.abs(bytes.readInt32LE(18)),
    height: Math.abs(bytes.readInt32LE(22)),
    durationMs: null,
    framesPerSecond: null,
    codec: null,
    frames: 1,
  };
}
