import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { MediaRejected } from '@fanfare/media-tools';
import { ffmpeg } from '../../test/make-recordings.ts';
import { startWorkerPool } from '../../test/start-worker-pool.ts';
import { probeMedia } from './probe-media.ts';

let directory: string;
let pool: Awaited<ReturnType<typeof startWorkerPool>>;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'probe-'));
  pool = await startWorkerPool();
});
afterAll(async () => {
  await pool.stop();
  await rm(directory, { recursive: true });
});
const probe = (bytes: Buffer | string) => pool.probe(bytes);

const fixture = (name: string) => readFile(path.join(import.meta.dirname, '../../test/fixtures', name));

/** 40 × 30 pixels that compress badly. */
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
  test('is detected by its content', async () => {
    const found = await probe(await make());
    expect(found).toMatchObject({
      type: 'image',
      mimeType,
      width: 40,
      height: 30,
      facts: { frames: _name.startsWith('animated') ? 4 : 1, has_location: false },
    });
    expect(found.placeholder).toMatch(/^data:image\/webp;base64,.{40,700}$/);
  });

  test.each([0.2, 0.5, 0.9, 0.99])('truncated at %d of its length is rejected', async (part) => {
    const bytes = await make();
    await expect(probe(bytes.subarray(0, Math.floor(bytes.length * part)))).rejects.toThrow(MediaRejected);
  });

  test('without its last bytes is rejected', async () => {
    const bytes = await make();
    await expect(probe(bytes.subarray(0, bytes.length - 1))).rejects.toThrow(MediaRejected);
  });
});

test('the size is the visible one, with the EXIF orientation applied', async () => {
  const onItsSide = await pixels().jpeg().withMetadata({ orientation: 6 }).toBuffer();
  expect(await probe(onItsSide)).toMatchObject({ width: 30, height: 40 });
});

test('damage in the middle is rejected, although the header is valid', async () => {
  const bytes = await pixels(200, 200).png().toBuffer();
  bytes.fill(0, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 20);
  await expect(probe(bytes)).rejects.toThrow('damaged');
});

test.each<[string, () => Promise<Buffer>]>([
  ['half a small JPEG with an end mark', () => halfAJpeg(200)],
  ['half a large JPEG with an end mark', () => halfAJpeg(2500)],
  ['a large PNG with a few of its rows', () => withoutRows()],
  ['a video whose index points elsewhere', async () => withOffsets(await fixture('clip.mp4'))],
])('%s is rejected', async (_what, make) => {
  await expect(make().then(probe)).rejects.toThrow('damaged');
});

test.each([false, true])('a large PNG is accepted, interlaced: %s', async (progressive) => {
  expect(await probe(await pixels(1201, 1003).png({ progressive }).toBuffer())).toMatchObject({ width: 1201, height: 1003 });
});

async function halfAJpeg(side: number): Promise<Buffer> {
  const bytes = await pixels(side, side).jpeg().toBuffer();
  return Buffer.concat([bytes.subarray(0, bytes.length / 2), Buffer.from([0xff, 0xd9])]);
}

/** A PNG whose header declares more rows than it has. */
async function withoutRows(): Promise<Buffer> {
  const bytes = await pixels(1200, 300).png().toBuffer();
  bytes.writeUInt32BE(1200, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

function withOffsets(bytes: Buffer): Buffer {
  for (let at = bytes.indexOf('stco'); at !== -1; at = bytes.indexOf('stco', at + 1)) {
    for (let entry = 0; entry < bytes.readUInt32BE(at + 8); entry++) bytes.writeUInt32BE(4, at + 12 + 4 * entry);
  }
  return bytes;
}

test('a pixel bomb is rejected before it is decoded', async () => {
  const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  expect(bomb.length).toBeLessThan(2_000_000);
  await expect(probe(bomb)).rejects.toThrow('too many pixels: 16000 × 16000');
});

test.each([
  ['an empty file', Buffer.alloc(0), 'empty'],
  ['text', 'this is no image', 'not a JPEG'],
  ['an EXE', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)]), 'not a JPEG'],
  ['an ELF program', Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(200, 1)]), 'not a JPEG'],
  ['a PDF', '%PDF-1.7\n1 0 obj', 'not a JPEG'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'not a JPEG'],
  ['SVG with a prolog', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'not a JPEG'],
  ['HTML', '<!doctype html><script>alert(1)</script>', 'not a JPEG'],
  ['the first bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'damaged'],
  ['the signature of a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'damaged'],
  ['the signature of a GIF', 'GIF89a', 'damaged'],
])('%s is rejected', async (_what, bytes, why) => {
  const rejected = probe(bytes);
  await expect(rejected).rejects.toThrow(MediaRejected);
  await expect(rejected).rejects.toThrow(/empty|not a JPEG|damaged/);
  if (why !== 'damaged') await expect(rejected).rejects.toThrow(why);
});

const HOSTILE = '<script>alert(1)</script>';
const segment = (marker: string, text: string) => {
  const head = Buffer.from(`\xff${marker}\0\0`, 'latin1');
  head.writeUInt16BE(2 + text.length, 2);
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
};
const zipEnd = () => Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);

test.each<[string, () => Promise<Buffer>]>([
  ['a GIF that is a script', async () => Buffer.concat([await pixels().gif().toBuffer(), Buffer.from('=1;alert(1)')])],
  [
    'a GIF whose header opens a comment',
    async () =>
      Buffer.concat([
        Buffer.from('GIF89a/*'),
        (
          await pixels(10799 % 256, 4)
            .gif()
            .toBuffer()
        ).subarray(8),
      ]),
  ],
  ['a JPEG with a PDF in a comment', async () => inJpeg(segment('\xfe', '%PDF-1.7\n1 0 obj'))],
  ['a JPEG with a page in its EXIF', async () => inJpeg(segment('\xe1', `Exif\0\0${HOSTILE}`))],
  ['a JPEG with a page after its end', async () => Buffer.concat([await pixels().jpeg().toBuffer(), Buffer.from(HOSTILE)])],
  ['a JPEG with an archive after its end', async () => Buffer.concat([await pixels().jpeg().toBuffer(), zipEnd()])],
  ['a PNG with an archive after its end', async () => Buffer.concat([await pixels().png().toBuffer(), zipEnd()])],
  ...[
    'Rar!\x1a\x07\0',
    "7z\xbc\xaf'\x1c",
    'PK\x05\x06' + '\0'.repeat(18) + '\n',
    'MZ\x90',
    '#!/bin/sh',
    '<img src=x onerror=x>',
    '<?=1?>',
  ].map((after): [string, () => Promise<Buffer>] => [
    `a JPEG with ${JSON.stringify(after.slice(0, 9))} after its end`,
    async () => Buffer.concat([await pixels().jpeg().toBuffer(), Buffer.from(after, 'latin1')]),
  ]),
  ['a JPEG with a page in UTF-16', async () => inJpeg(segment('\xfe', Buffer.from(HOSTILE, 'utf16le').toString('latin1')))],
  ['a page with an image after it', async () => Buffer.concat([Buffer.from(`<html>${HOSTILE}`), await pixels().jpeg().toBuffer()])],
])('%s is rejected', async (_what, make) => {
  await expect(make().then(probe)).rejects.toThrow(/not only an image|not a JPEG/);
});

const box = (type: string, data: Buffer) => {
  const head = Buffer.from(`\0\0\0\0${type}`, 'latin1');
  head.writeUInt32BE(8 + data.length);
  return Buffer.concat([head, data]);
};

test.each<[string, () => Promise<Buffer>]>([
  [
    'an MP4 with a page',
    async () => Buffer.concat([await fixture('clip.mp4'), box('free', Buffer.from(HOSTILE)), box('free', Buffer.alloc(80_000))]),
  ],
  ['an MP4 with an archive', async () => Buffer.concat([await fixture('clip.mp4'), box('free', zipEnd()), Buffer.from('\n')])],
  ['a WebM with an archive', async () => Buffer.concat([await fixture('clip.webm'), zipEnd()])],
  ['an MP3 with a page', async () => Buffer.concat([await mp3(), Buffer.from('<html>')])],
])('%s is rejected', async (_what, make) => {
  await expect(make().then(probe)).rejects.toThrow('not only video or audio');
});

async function mp3(): Promise<Buffer> {
  const file = path.join(directory, 'short.mp3');
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=d=1', file]);
  return readFile(file);
}

test('an image with padding after its end is accepted', async () => {
  expect(await probe(Buffer.concat([await pixels().png().toBuffer(), Buffer.alloc(100)]))).toMatchObject({ width: 40 });
});

test('a JPEG of a phone with a short video is accepted', async () => {
  const bytes = Buffer.concat([await pixels().jpeg().toBuffer(), await fixture('clip.mp4')]);
  expect(await probe(bytes)).toMatchObject({ mimeType: 'image/jpeg', facts: { has_location: true } });
});

const inJpeg = async (part: Buffer) => {
  const bytes = await pixels().jpeg().toBuffer();
  return Buffer.concat([bytes.subarray(0, 2), part, bytes.subarray(2)]);
};

test('a JPEG with the data that cameras append is accepted', async () => {
  const [first, second] = await Promise.all([pixels().jpeg().toBuffer(), pixels(20, 20).jpeg().toBuffer()]);
  expect(await probe(Buffer.concat([first, second]))).toMatchObject({ width: 40, height: 30 });
});

test.each([50_000, 65_000])('%d pixels in each direction are rejected by the header alone', async (side) => {
  const bytes = await pixels().png().toBuffer();
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  await expect(probe(bytes)).rejects.toThrow(`too many pixels: ${side} × ${side}`);
});

test.each([
  ['SVG in gzip', gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['SVG with a byte order mark', '\ufeff<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a ZIP', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(100), zipEnd()])],
  ['HEIC', Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(100)])],
  ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'],
  ['a list of files', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
])('%s is rejected with the list of accepted formats', async (_what, bytes) => {
  await expect(probe(bytes)).rejects.toThrow(/not a JPEG, PNG, GIF or WebP.*HEIC/);
});

test('EXIF with location data is detected, other EXIF is not', async () => {
  const exif = { IFD0: { Copyright: 'A' } };
  expect((await probe(await pixels().jpeg().withExif(exif).toBuffer())).facts.has_location).toBe(false);
  const where = { ...exif, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } };
  expect((await probe(await pixels().jpeg().withExif(where).toBuffer())).facts.has_location).toBe(true);
});

test.each([
  ['clip.mp4', { mimeType: 'video/mp4', width: 64, height: 48, facts: { video_codec: 'h264', frame_rate: 10, rotation: 0 } }],
  ['clip.webm', { mimeType: 'video/webm', width: 64, height: 48, facts: { video_codec: 'vp8' } }],
  ['clip-rotated.mov', { mimeType: 'video/quicktime', width: 48, height: 64, facts: { rotation: 270 } }],
])('%s', async (name, expected) => {
  const bytes = await fixture(name);
  expect(await probe(bytes)).toMatchObject({ type: 'video', durationMs: 1000, ...expected });
  for (const part of [0.3, 0.6, 0.99]) {
    await expect(probe(bytes.subarray(0, Math.floor(bytes.length * part)))).rejects.toThrow(MediaRejected);
  }
});

test('an MP4 with only audio is audio', async () => {
  expect(await probe(await fixture('audio-only.mp4'))).toMatchObject({ type: 'audio', mimeType: 'audio/mp4', width: 0, height: 0 });
});

test.each([
  ['mp3', 'audio/mpeg', 'mp3'],
  ['m4a', 'audio/mp4', 'aac'],
  ['aac', 'audio/aac', 'aac'],
  ['wav', 'audio/wav', 'pcm_s16le'],
  ['ogg', 'audio/ogg', 'vorbis'],
  ['opus', 'audio/ogg', 'opus'],
  ['flac', 'audio/flac', 'flac'],
])('%s is audio', async (extension, mimeType, codec) => {
  const file = path.join(directory, `audio.${extension}`);
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=d=1', file]);
  const found = await probe(await readFile(file));
  expect(found).toMatchObject({ type: 'audio', mimeType, facts: { audio_codec: codec } });
  expect(Math.abs((found.durationMs ?? 0) - 1000)).toBeLessThan(150);
});

test('an MP4 without video and audio is rejected', async () => {
  const bytes = Buffer.from(await fixture('clip.mp4'));
  const track = bytes.indexOf('vide', bytes.indexOf('hdlr'), 'latin1');
  bytes.write('meta', track, 'latin1');
  await expect(probe(bytes)).rejects.toThrow(/no video track|damaged/);
});

test('a missing program is not an error of the file', async () => {
  const file = path.join(directory, 'clip.mp4');
  await writeFile(file, await fixture('clip.mp4'));
  const rejected = probeMedia(file, ['/nowhere/ffprobe']);
  await expect(rejected).rejects.toThrow('ffprobe is missing');
  await expect(rejected).rejects.not.toThrow(MediaRejected);
});
