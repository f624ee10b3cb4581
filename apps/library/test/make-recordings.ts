import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLogger, newId } from '@fanfare/runtime';
import { findLaunchers, findTools } from '@fanfare/media-tools';
import { readStreams } from '../src/probing/recordings/read-streams.ts';

/** A test video with a tone, and optionally a location tag. */
export async function aVideo(
  options: { seconds?: number; size?: string; location?: string; rotation?: number; silent?: boolean } = {},
): Promise<Buffer> {
  const { seconds = 1, size = '128x96', location, rotation, silent = false } = options;
  const file = temporary('mp4');
  const audio = silent ? [] : ['-f', 'lavfi', '-i', `sine=duration=${seconds}`];
  const tags = location === undefined ? [] : ['-metadata', `location=${location}`];
  const codecs = ['-c:v', 'mpeg4', '-b:v', '4M', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest'];
  await ffmpeg(['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=${seconds}`, ...audio, ...codecs, ...tags, file]);
  const bytes = await take(file);
  return rotation === undefined ? bytes : rotated(bytes, rotation);
}

/** The streams of a file, by ffprobe. */
export async function streamsOf(bytes: Uint8Array, mimeType = 'video/mp4') {
  const file = temporary('bin');
  await writeFile(file, bytes);
  const { format, streams } = await readStreams((await tools).ffprobe, file, mimeType);
  await rm(file);
  const of = (type: string) => streams.find(({ codec_type }) => codec_type === type);
  return { format, video: of('video'), audio: of('audio') };
}

/** Rotates the first track of an MP4 as cameras do: in the matrix of its header (ISO 14496-12, 8.3.2). The ffmpeg option for that depends on the version. */
function rotated(bytes: Buffer, degrees: number): Buffer {
  const [cos, sin] = [Math.round(Math.cos((degrees * Math.PI) / 180)), Math.round(Math.sin((degrees * Math.PI) / 180))];
  const matrix = bytes.indexOf('tkhd', 0, 'latin1') + 'tkhd'.length + 40;
  const one = 1 << 16;
  for (const [index, value] of [cos * one, sin * one, 0, -sin * one, cos * one, 0, 0, 0].entries())
    bytes.writeInt32BE(value, matrix + 4 * index);
  return bytes;
}

async function take(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  await rm(file);
  return bytes;
}

const temporary = (extension: string) => path.join(os.tmpdir(), `recording-${newId()}.${extension}`);
const env = { PATH: process.env.PATH ?? '' };
/** The programs that the library uses. */
export const tools = findLaunchers(env).then((launchers) => findTools(env, launchers, createLogger('test', 'silent')));

export async function ffmpeg(args: string[]) {
  const [program, ...limits] = (await tools).ffmpeg;
  return promisify(execFile)(program, [...limits, '-y', '-v', 'error', ...args]);
}
