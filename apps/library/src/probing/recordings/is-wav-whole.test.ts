import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Tools } from '@fanfare/media-tools';
import { ffmpeg, tools } from '../../../test/make-recordings.ts';
import { probeMedia } from '../probe-media.ts';

let directory: string;
let ffprobe: Tools['ffprobe'];
let whole: Buffer;
beforeAll(async () => {
  ({ ffprobe } = await tools);
  directory = await mkdtemp(path.join(os.tmpdir(), 'wav-'));
  const file = path.join(directory, 'whole.wav');
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=d=2', file]);
  whole = await readFile(file);
});
afterAll(() => rm(directory, { recursive: true }));

async function probe(bytes: Buffer) {
  const file = path.join(directory, 'audio');
  await writeFile(file, bytes);
  return probeMedia(file, ffprobe);
}

function saying(dataBytes: number, riffBytes = whole.readUInt32LE(4)): Buffer {
  const bytes = Buffer.from(whole);
  bytes.writeUInt32LE(riffBytes, 4);
  bytes.writeUInt32LE(dataBytes, bytes.indexOf('data') + 4);
  return bytes;
}

const chunk = (name: string, data: Buffer, bytes = data.length) => {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(bytes, 4);
  return Buffer.concat([head, data]);
};

test.each([1, 2, 5000, 150_000])('a WAV that is %d bytes shorter than its header declares is rejected', async (missing) => {
  await expect(probe(whole.subarray(0, -missing))).rejects.toThrow('damaged or truncated');
});

test('also one whose RIFF header declares no size', async () => {
  await expect(probe(saying(whole.length, 0xffff_ffff))).rejects.toThrow('damaged or truncated');
});

test('a WAV without audio is rejected', async () => {
  await expect(probe(whole.subarray(0, whole.indexOf('data')))).rejects.toThrow('truncated');
});

test.each([
  ['ffmpeg', 0xffff_ffff, 0xffff_ffff],
  ['GStreamer', 0, 0],
  ['SoX', 0x7fff_f000, 0x7fff_f024],
  ['SoX with six bytes for a sample', 0x7fff_effc, 0x7fff_f020],
  ['arecord', 0x8000_0000, 0x8000_0024],
])('a WAV that %s has written to a pipe is as long as its audio', async (_program, dataBytes, riffBytes) => {
  expect(await probe(saying(dataBytes, riffBytes))).toMatchObject({ mimeType: 'audio/wav', durationMs: 2000 });
});

test('chunks before and after the audio are ignored', async () => {
  const data = whole.indexOf('data');
  const odd = Buffer.concat([chunk('junk', Buffer.from('odd')), Buffer.alloc(1)]);
  const bytes = Buffer.concat([whole.subarray(0, data), odd, whole.subarray(data), chunk('PAD ', Buffer.alloc(4), 5000)]);
  expect(await probe(bytes)).toMatchObject({ durationMs: 2000 });
});
