import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLogger, newId } from '@fanfare/runtime';
import { findTools } from './find-tools.ts';
import { runFfmpeg } from './run-ffmpeg.ts';

const longVideo = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=60:duration=600', '-c:v', 'mpeg4', '-f', 'mp4'];
const found = findTools({ PATH: process.env['PATH'] ?? '' }, { decoder: [], limits: {} }, createLogger('test', 'silent'));

let output: string;
beforeEach(() => {
  output = path.join(os.tmpdir(), newId());
});
afterEach(() => rm(output, { force: true }));

test('a file that needs more CPU time than the limit is rejected', async () => {
  const run = runFfmpeg(['prlimit', '--cpu=1:10', ...(await found).ffmpeg], [...longVideo, output]);
  await expect(run).rejects.toMatchObject({ name: 'MediaRejected', message: expect.stringContaining('memory or time') });
});

test('an aborted signal kills ffmpeg', async () => {
  const aborting = new AbortController();
  const run = runFfmpeg((await found).ffmpeg, [...longVideo, output], aborting.signal);
  aborting.abort(new Error('No longer needed.'));
  await expect(run).rejects.toThrow('No longer needed.');
});
