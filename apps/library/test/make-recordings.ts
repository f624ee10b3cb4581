import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLogger, newId } from '@fanfare/runtime';
import { findTools } from '../src/processes/find-tools.ts';
import { readStreams } from '../src/probing/read-streams.ts';

/** A moving test picture with a tone, and a tag that says where. */
export async function aVideo(
  options: { seconds?: number; size?: string; location?: string; rotation?: number; silent?: boolean } = {},
): Promise<Buffer> {
  const { seconds = 1, size = '128x96', location, rotation, silent = false } = options;
  const file = temporary('mp4');
  const sound = silent ? [] : ['-f', 'lavfi', '-i', `sine=duration=${seconds}`];
  const tags = location === undefined ? [] : ['-metadata', `location=${location}`];
  const codecs = ['-c:v', 'mpeg4', '-b:v', '4M', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest'];
  await ffmpeg(['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=${seconds}`, ...sound, ...codecs, ...tags, file]);
  return rotation === undefined ? take(file) : take(await rotated(file, rotation));
}

/** What ffprobe says of bytes. */
export async function streamsOf(bytes: Uint8Array, mimeType = 'video/mp4') {
  const file = temporary('bin');
  await writeFile(file, bytes);
  const { format, streams } = await readStreams((await tools).ffprobe, file, mimeType);
  await rm(file);
  const of = (type: string) => streams.find(({ codec_type }) => codec_type === type);
  return { format, video: of('video'), audio: of('audio') };
}

async function rotated(file: string, degrees: number): Promise<string> {
  const turned = temporary('mp4');
  await ffmpeg(['-i', file, '-c', 'copy', '-metadata:s:v', `rotate=${degrees}`, turned]);
  await rm(file);
  return turned;
}

async function take(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  await rm(file);
  return bytes;
}

const temporary = (extension: string) => path.join(os.tmpdir(), `recording-${newId()}.${extension}`);
const tools = findTools({ PATH: process.env.PATH ?? '' }, createLogger('test', 'silent'));

/** The program that the library would take too. */
export const ffmpeg = async (args: string[]) => promisify(execFile)((await tools).ffmpeg, ['-y', '-v', 'error', ...args]);
