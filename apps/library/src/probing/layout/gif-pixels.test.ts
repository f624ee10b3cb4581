import sharp from 'sharp';
import { startWorkerPool } from '../../../test/start-worker-pool.ts';

let pool: Awaited<ReturnType<typeof startWorkerPool>>;
beforeAll(async () => {
  pool = await startWorkerPool();
});
afterAll(() => pool.stop());
const probe = (bytes: Buffer) => pool.probe(bytes);

interface Size {
  readonly width: number;
  readonly height: number;
}
interface Frame extends Size {
  readonly left?: number;
  readonly top?: number;
}

/** A GIF of white frames at given positions. */
async function gifOf(screen: Size, frames: readonly Frame[]): Promise<Buffer> {
  const made = new Map<string, Promise<Parts>>();
  const partsOf = ({ width, height }: Size) => {
    const key = `${width}×${height}`;
    if (!made.has(key)) made.set(key, partsOfGif({ width, height }));
    return made.get(key)!;
  };
  const all = await Promise.all(
    frames.map(async (frame) => {
      const parts = await partsOf(frame);
      return { header: parts.header, frame: placed(parts.frame, frame) };
    }),
  );
  const header = Buffer.from(all[0]!.header);
  header.writeUInt16LE(screen.width, 6);
  header.writeUInt16LE(screen.height, 8);
  return Buffer.concat([header, ...all.map(({ frame }) => frame), Buffer.from(';')]);
}

interface Parts {
  readonly header: Buffer;
  readonly frame: Buffer;
}

async function partsOfGif({ width, height }: Size): Promise<Parts> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: 'white' } })
    .gif()
    .toBuffer();
  const start = 13 + (bytes[10]! & 0x80 ? 3 << ((bytes[10]! & 7) + 1) : 0);
  return { header: bytes.subarray(0, start), frame: bytes.subarray(start, -1) };
}

function placed(frame: Buffer, { left = 0, top = 0 }: Frame): Buffer {
  const moved = Buffer.from(frame);
  // The control extension of eight bytes precedes the descriptor.
  const descriptor = moved.indexOf(Buffer.from([0x21, 0xf9])) + 8;
  moved.writeUInt16LE(left, descriptor + 1);
  moved.writeUInt16LE(top, descriptor + 3);
  return moved;
}

const dot = { width: 1, height: 1 };
const square = (side: number) => ({ width: side, height: side });

test.each<[string, Size, Frame[], Size]>([
  ['a screen size that the decoder ignores', { width: 640, height: 480 }, [square(40)], { width: 640, height: 480 }],
  ['a large screen with a dot', square(3000), [dot, dot], square(3000)],
  ['a first frame over the edge of the screen', square(40), [{ ...square(40), left: 20, top: 5 }, dot], { width: 60, height: 45 }],
  ['a later frame over the edge of the screen', square(40), [dot, { ...square(40), left: 20 }], square(40)],
  ['no screen', { width: 0, height: 0 }, [square(40)], square(40)],
])('a GIF with %s has the size that viewers show', async (_what, screen, frames, shown) => {
  expect(await probe(await gifOf(screen, frames))).toMatchObject({ ...shown, facts: { frames: frames.length } });
});

test.each<[string, Size, Frame[], string]>([
  ['of a large screen with one dot', square(60_000), [dot], '60000 × 60000'],
  ['of large frames after a dot', square(5000), [dot, ...Array.from({ length: 21 }, () => square(5000))], '5000 × 5000 in 22 frames'],
  ['of many large frames', square(3000), Array.from({ length: 200 }, () => square(3000)), '3000 × 3000 in 200 frames'],
  ['of many dots on a large screen', square(5000), Array.from({ length: 21 }, () => dot), '5000 × 5000 in 21 frames'],
  ['with a later frame far outside', square(10), [dot, { ...dot, left: 65_000, top: 65_000 }], '65001 × 65001 in 2 frames'],
])('a GIF %s is rejected', async (_what, screen, frames, detail) => {
  await expect(gifOf(screen, frames).then(probe)).rejects.toThrow(`too many pixels: ${detail}`);
});
