import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLogger, newId } from '@fanfare/runtime';
import { findTools } from './find-tools.ts';
import { runFfmpeg } from './run-ffmpeg.ts';

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=60:duration=600', '-c:v', 'mpeg4', '-f', 'mp4'];
const found = findTools({ PATH: process.env['PATH'] ?? '' }, { decoder: [], limits: {} }, createLogger('test', 'silent'));

let output: string;
beforeEach(() => {
  output = path.join(os.tmpdir(), newId());
});
afterEach(() => rm(output, { force: true }));

test('ffmpeg that needs more time than it may have says so of the file', async () => {
  const run = runFfmpeg(['prlimit', '--cpu=1:10', ...(await found).ffmpeg], [...picture, output]);
  await expect(run).rejects.toMatchObject({ name: 'MediaRefused', message: expect.stringContaining('memory or time') });
});

test('ffmpeg ends when its signal is aborted', async () => {
  const aborting = new AbortController();
  const run = runFfmpeg((await found).ffmpeg, [...picture, output], aborting.signal);
  aborting.abort(new Error('No longer needed.'));
  await expect(run).rejects.toThrow('No longer needed.');
});
