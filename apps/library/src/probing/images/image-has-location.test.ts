import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { startWorkerPool } from '../../../test/start-worker-pool.ts';

let directory: string;
let pool: Awaited<ReturnType<typeof startWorkerPool>>;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'says-where-'));
  pool = await startWorkerPool();
});
afterAll(async () => {
  await pool.stop();
  await rm(directory, { recursive: true });
});

const PLACE = 'Neverland';
const XMP = `<x:xmpmeta><rdf:Description photoshop:State="${PLACE}" exif:GPSLatitude="51,30N"/></x:xmpmeta>`;
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const image = () => sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } });
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function segment(marker: number, ...data: Buffer[]): Buffer {
  const body = Buffer.concat(data);
  return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body]);
}

function chunk(name: string, ...data: Buffer[]): Buffer {
  const body = Buffer.concat([latin1(name), ...data]);
  return Buffer.concat([u32(body.length - 4), body, u32(crc32(body))]);
}

const box = (type: string, ...data: Buffer[]) => {
  const body = Buffer.concat(data);
  return Buffer.concat([u32(body.length + 8), latin1(type), body]);
};

/** An EXIF directory, empty or with a location. */
const tiff = (hasGps: boolean) => {
  const ifd = hasGps ? Buffer.from('00018825000400000001' + '0000001a' + '00000000', 'hex') : Buffer.from('000000000000', 'hex');
  const gps = Buffer.from('0001' + '0001000200000002' + '4e000000' + '00000000', 'hex');
  return Buffer.concat([latin1('MM\0*\0\0\0\x08'), ifd, ...(hasGps ? [gps, latin1(PLACE)] : [])]);
};
const exif = (hasGps: boolean) => segment(0xe1, latin1('Exif\0\0'), tiff(hasGps));
const xmp = (data: Buffer) => segment(0xe1, latin1('http://ns.adobe.com/xap/1.0/\0'), data);
const IPTC = latin1(`Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0e\x1c\x02\x5a\0\x09${PLACE}`);

const inJpeg = async (...parts: Buffer[]) => {
  const bytes = await image().jpeg().toBuffer();
  return Buffer.concat([bytes.subarray(0, 2), ...parts, bytes.subarray(2)]);
};
/** Inserts chunks after the pixels, before the last chunk. */
const inPng = async (...parts: Buffer[]) => {
  const bytes = await image().png().toBuffer();
  return Buffer.concat([bytes.subarray(0, -12), ...parts, bytes.subarray(-12)]);
};
const clip = (name = 'clip.mp4') => readFile(path.join(import.meta.dirname, '../../../test/fixtures', name));
const UUID_OF_XMP = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');

/** Adds boxes at the end of moov. */
const inMoov = async (...parts: Buffer[]) => {
  const bytes = await clip();
  const at = bytes.indexOf('moov', 0, 'latin1') - 4;
  const [start, end] = [bytes.subarray(0, at), bytes.subarray(at + bytes.readUInt32BE(at))];
  const moov = bytes.subarray(at + 8, at + bytes.readUInt32BE(at));
  // If moov comes first, the data that it points to must not move.
  return at < bytes.indexOf('mdat', 0, 'latin1')
    ? Buffer.concat([start, box('free', Buffer.alloc(moov.length)), end, box('moov', moov, ...parts)])
    : Buffer.concat([start, box('moov', moov, ...parts), end]);
};

const cases: [string, () => Promise<Buffer>][] = [
  ['a JPEG with EXIF', () => inJpeg(exif(true))],
  ['a JPEG with a second EXIF', () => inJpeg(exif(false), exif(true))],
  ['a JPEG with XMP', () => inJpeg(xmp(Buffer.from(XMP)))],
  ['a JPEG with XMP in UTF-16', () => inJpeg(xmp(utf16(XMP)))],
  ['a JPEG with a city in IPTC', () => inJpeg(segment(0xed, IPTC))],
  ['a JPEG with a comment', () => inJpeg(segment(0xfe, latin1(PLACE)))],
  ['a JPEG with a second image that has EXIF', async () => Buffer.concat([await inJpeg(), await inJpeg(exif(true))])],
  ['a PNG with EXIF after its pixels', () => inPng(chunk('eXIf', tiff(true)))],
  ['a PNG with text', () => inPng(chunk('tEXt', latin1(`Comment\0${PLACE}`)))],
  ['a PNG with compressed XMP', () => inPng(chunk('iTXt', latin1('XML:com.adobe.xmp\0\x01\0\0\0'), deflateSync(XMP)))],
  ['a PNG with compressed text', () => inPng(chunk('zTXt', latin1('Raw profile type exif\0\0'), deflateSync(PLACE)))],
  ['a PNG with an unknown chunk', () => inPng(chunk('plCe', latin1(PLACE)))],
  ['a WebP with XMP', () => image().withXmp(XMP).webp().toBuffer()],
  ['an MP4 with XMP', async () => Buffer.concat([await clip(), box('uuid', UUID_OF_XMP, Buffer.from(XMP))])],
  ['an MP4 with XMP in its index', () => inMoov(box('uuid', UUID_OF_XMP, utf16(XMP)))],
  ['an MP4 with XMP as in QuickTime', () => inMoov(box('udta', box('XMP_', utf16(XMP))))],
  ['an MP4 with a 3GPP location', () => inMoov(box('udta', box('loci', latin1(`\0\0\0\0\x15\xc7${PLACE}\0\0`), Buffer.alloc(16))))],
  ['an MP4 with coordinates', () => inMoov(box('udta', box('\xa9xyz', latin1('\0\x12\x15\xc7+48.1351+011.5820/'))))],
  ['an MP4 with an unknown box', async () => Buffer.concat([await clip(), box('plce', latin1(PLACE))])],
];

test.each(cases)('%s may contain location data; the copy does not', async (_name, make) => {
  const [file, output] = [path.join(directory, 'file'), path.join(directory, 'output')];
  const original = await make();
  await writeFile(file, original);
  const { mimeType, durationMs, ...source } = await pool.probe(original);
  expect(source.facts.has_location).toBe(true);
  const recipe = { without_location: true } as const;
  await pool.make({
    recipe,
    file,
    output,
    source: { ...source, mime_type: mimeType, ...(durationMs !== undefined && { duration_ms: durationMs }) },
  });
  const bytes = await readFile(output);
  for (const left of [PLACE, utf16(PLACE), 'xmpmeta', 'GPSLatitude', '48.1351', 'XML:com', 'Raw profile', 'Exif', 'eXIf', 'uuid', 'loci']) {
    expect([left, bytes.includes(left)]).toEqual([left, false]);
  }
  expect((await pool.probe(bytes)).facts.has_location).toBe(false);
});

test.each<[string, () => Promise<Buffer>]>([
  ['a JPEG', () => inJpeg()],
  ['a JPEG with empty EXIF', () => inJpeg(exif(false))],
  ['a JPEG with an orientation', () => image().withMetadata({ orientation: 6 }).jpeg().toBuffer()],
  ['a PNG with a time', () => inPng(chunk('tIME', Buffer.alloc(7, 1)))],
  ['an MP4', clip],
  ['an MP4 with noise in a box that is removed', async () => Buffer.concat([await clip(), box('free', deflateSync(await clip()))])],
  ['a MOV', () => clip('clip-rotated.mov')],
  ['a WebM', () => clip('clip.webm')],
])('%s contains no location data', async (_name, make) => {
  expect((await pool.probe(await make())).facts.has_location).toBe(false);
});
