import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { MediaRefused } from './media-refused.ts';
import { probeMedia, type Probe } from './probe-media.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'probe-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function probe(bytes: Buffer | string): Promise<Probe> {
  const file = path.join(directory, 'file.jpg');
  await writeFile(file, bytes);
  return probeMedia(file);
}

const fixture = (name: string) => readFile(path.join(import.meta.dirname, '../../test/fixtures', name));

/** 40 × 30 pixels that do not compress to nothing. */
const pixels = (width = 40, height = 30) => {
  const bytes = Buffer.from(Array.from({ length: width * height * 3 }, (_, index) => (index * 7919 + (index >> 5) * 31) & 255));
  return sharp(bytes, { raw: { width, height, channels: 3 } });
};
const frames = (count: number) =>
  sharp(Buffer.concat(Array.from({ length: count }, (_, index) => Buffer.alloc(40 * 30 * 3, 40 * index))), {
    raw: { width: 40, height: 30 * count, channels: 3, pageHeight: 30 },
  });

const images: [string, () => Promise<Buffer>, string][] = [
  ['JPEG', () => pixels().jpeg().toBuffer(), 'image/jpeg'],
  ['progressive JPEG', () => pixels().jpeg({ progressive: true }).toBuffer(), 'image/jpeg'],
  ['PNG', () => pixels().png().toBuffer(), 'image/png'],
  ['interlaced PNG', () => pixels().png({ progressive: true }).toBuffer(), 'image/png'],
  ['GIF', () => pixels().gif().toBuffer(), 'image/gif'],
  ['animated GIF', () => frames(4).gif({ delay: 100 }).toBuffer(), 'image/gif'],
  ['WebP', () => pixels().webp().toBuffer(), 'image/webp'],
  ['animated WebP', () => frames(4).webp({ delay: 100 }).toBuffer(), 'image/webp'],
];

describe.each(images)('%s', (_name, make, mimeType) => {
  test('is told by its content', async () => {
    expect(await probe(await make())).toEqual({ type: 'image', mimeType, width: 40, height: 30 });
  });

  test.each([0.2, 0.5, 0.9, 0.99])('cut short at %d of its length is refused', async (part) => {
    const bytes = await make();
    await expect(probe(bytes.subarray(0, Math.floor(bytes.length * part)))).rejects.toThrow(MediaRefused);
  });

  test('without its last bytes is refused', async () => {
    const bytes = await make();
    await expect(probe(bytes.subarray(0, bytes.length - 1))).rejects.toThrow(MediaRefused);
  });
});

test('the size is the one that people see: EXIF orientation is taken into account', async () => {
  const onItsSide = await pixels().jpeg().withMetadata({ orientation: 6 }).toBuffer();
  expect(await probe(onItsSide)).toMatchObject({ width: 30, height: 40 });
});

test('a damaged middle is refused although the header is fine', async () => {
  const bytes = await pixels(200, 200).png().toBuffer();
  bytes.fill(0, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 20);
  await expect(probe(bytes)).rejects.toThrow('damaged');
});

test('a pixel bomb is refused before it is decoded', async () => {
  const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  expect(bomb.length).toBeLessThan(2_000_000);
  await expect(probe(bomb)).rejects.toThrow('too many pixels: 16000 × 16000');
});

test.each([
  ['nothing', Buffer.alloc(0), 'empty'],
  ['text', 'this is no image', 'no JPEG'],
  ['an EXE', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)]), 'no JPEG'],
  ['an ELF program', Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(200, 1)]), 'no JPEG'],
  ['a PDF', '%PDF-1.7\n1 0 obj', 'no JPEG'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'no JPEG'],
  ['SVG with a prolog', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'no JPEG'],
  ['HTML', '<!doctype html><script>alert(1)</script>', 'no JPEG'],
  ['the first bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'damaged'],
  ['the signature of a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'damaged'],
  ['the signature of a GIF', 'GIF89a', 'damaged'],
])('%s is refused, whatever its name says', async (_what, bytes, why) => {
  const refused = probe(bytes);
  await expect(refused).rejects.toThrow(MediaRefused);
  await expect(refused).rejects.toThrow(/empty|no JPEG|damaged/);
  if (why !== 'damaged') await expect(refused).rejects.toThrow(why);
});

test.each([
  ['clip.mp4', { mimeType: 'video/mp4', width: 64, height: 48 }],
  ['clip.webm', { mimeType: 'video/webm', width: 64, height: 48 }],
  ['clip-rotated.mov', { mimeType: 'video/quicktime', width: 48, height: 64 }],
])('%s', async (name, expected) => {
  const bytes = await fixture(name);
  expect(await probe(bytes)).toEqual({ type: 'video', durationMs: 1000, ...expected });
  for (const part of [0.3, 0.6, 0.99]) {
    await expect(probe(bytes.subarray(0, Math.floor(bytes.length * part)))).rejects.toThrow(MediaRefused);
  }
});

test('sound without pictures is refused', async () => {
  await expect(probe(await fixture('sound-only.mp4'))).rejects.toThrow('no video track');
});
