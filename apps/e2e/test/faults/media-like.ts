import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ContentMedia } from '@fanfare/connectors';
import sharp from 'sharp';

const fixture = (file: string) => readFile(path.join(import.meta.dirname, '../..', file));
/** Three seconds, upright. */
const upright = fixture('../sandbox/test/fixtures/reel.mp4');
/** Five seconds, wide. */
const wide = fixture('test/fixtures/video.mp4');

/** A real file of the same type and shape; as large if that one is large. No two files have the same bytes. */
export async function mediaLike({ type, mimeType, width, height, sizeBytes }: ContentMedia): Promise<File> {
  const bytes =
    type === 'image' ? await imageOf(mimeType, { width, height }, sizeBytes) : padded(await (height > width ? upright : wide), sizeBytes);
  return new File([Uint8Array.from(bytes)], `file.${mimeType.split('/')[1]}`, { type: mimeType });
}

const BOX_HEAD_BYTES = 8;
const UNIQUE_BYTES = 16;

/** A video with an additional box, which programs skip. */
function padded(video: Buffer, sizeBytes: number): Buffer {
  const length = Math.max(BOX_HEAD_BYTES + UNIQUE_BYTES, sizeBytes - video.length);
  const box = Buffer.alloc(length);
  box.writeUInt32BE(length);
  box.write('free', 4, 'latin1');
  randomBytes(UNIQUE_BYTES).copy(box, BOX_HEAD_BYTES);
  return Buffer.concat([video, box]);
}

/** Random squares: the more there are, the larger is the file. */
async function imageOf(mimeType: string, size: { width: number; height: number }, sizeBytes: number): Promise<Buffer> {
  const across = sizeBytes >= 1_000_000 ? size.width : sizeBytes >= 10_000 ? 64 : 8;
  const squares = () =>
    sharp(randomBytes(across * across * 3), { raw: { width: across, height: across, channels: 3 } }).resize({
      ...size,
      fit: 'fill',
      kernel: 'nearest',
    });
  switch (mimeType) {
    case 'image/png':
      return squares().png().toBuffer();
    case 'image/webp':
      return squares().webp().toBuffer();
    case 'image/gif': {
      const frames = await Promise.all([squares(), squares()].map((one) => one.png().toBuffer()));
      return sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer();
    }
    default:
      return squares().jpeg().toBuffer();
  }
}
