import { createInflate } from 'node:zlib';
import type { Layout } from './layout.ts';

/** Whether a PNG's compressed data are as many bytes as its header promises; nothing is kept of them (PNG specification, 7.2 and 8). */
export async function pngIsWhole(bytes: Buffer, { parts }: Layout): Promise<boolean> {
  const header = parts.find(({ name }) => name === 'IHDR');
  if (!header) return false;
  const at = header.start + 8;
  const [width, height] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
  const bitsPerPixel = (bytes[at + 8] ?? 0) * (CHANNELS[bytes[at + 9] ?? -1] ?? 0);
  const passes = bytes[at + 12] === 1 ? ADAM7 : [[0, 0, 1, 1] as const];
  let missing = 0;
  for (const [left, top, right, down] of passes) {
    const [columns, rows] = [Math.ceil((width - left) / right), Math.ceil((height - top) / down)];
    if (columns > 0 && rows > 0) missing += rows * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  }

  const inflate = createInflate({ chunkSize: 256 * 1024 });
  for (const { start, end } of parts.filter(({ name }) => name === 'IDAT')) inflate.write(bytes.subarray(start + 8, end - 4));
  inflate.end();
  try {
    for await (const some of inflate as AsyncIterable<Buffer>) {
      missing -= some.length;
      if (missing <= 0) return true;
    }
    return missing <= 0;
  } catch {
    return false;
  }
}

/** By colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Of each pass of an interlaced image: the first column and row, and how far it is to the next ones. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
