import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** A video of a test image and a tone; the same bytes for the same parameters. Needs ffmpeg on the PATH. */
export async function makeVideo(
  folder: string,
  { seconds, size, seed = 0 }: { seconds: number; size: string; seed?: number },
): Promise<string> {
  const file = path.join(folder, `video-${size}-${seconds}-${seed}.mp4`);
  const image = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=${seconds},hue=h=${seed * 40}`];
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=${400 + seed}:duration=${seconds}`];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', '+faststart'];
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...image, ...tone, ...coding, file]);
  return file;
}

export interface LargeVideo {
  readonly sizeBytes: number;
  /** A new stream for each reader. */
  bytes(): AsyncIterable<Buffer>;
}

const CHUNK_BYTES = 256 * 1024;

/** A video that plays for a second, of any size: the rest is a box that players skip (ISO/IEC 14496-12, 8.1.2). */
export async function largeVideo(file: string, sizeBytes: number): Promise<LargeVideo> {
  const video = await readFile(file);
  const freeBytes = sizeBytes - video.length;
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1, 0);
  header.write('free', 4, 'latin1');
  header.writeBigUInt64BE(BigInt(freeBytes), 8);
  // No two chunks are alike, because a store may compress.
  const noise = randomBytes(CHUNK_BYTES);
  return {
    sizeBytes,
    async *bytes() {
      yield video;
      yield header;
      for (let left = freeBytes - header.length, at = 0; left > 0; left -= CHUNK_BYTES, at++) {
        const chunk = Buffer.from(noise.subarray(0, Math.min(left, CHUNK_BYTES)));
        chunk.writeUInt32BE(at, 0);
        yield chunk;
      }
    },
  };
}
