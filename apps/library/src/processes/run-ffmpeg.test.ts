import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { newId } from '@fanfare/runtime';
import { tools } from '../../test/make-recordings.ts';
import { probeRecording } from '../probing/recordings/probe-recording.ts';
import { runFfmpeg } from './run-ffmpeg.ts';

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=60:duration=600', '-c:v', 'mpeg4', '-f', 'mp4'];

test('ffmpeg that needs more time than it may have says so of the file', async () => {
  const output = path.join(os.tmpdir(), newId());
  const run = runFfmpeg(['prlimit', '--cpu=1:10', (await tools).ffmpeg.at(-1) ?? ''], [...picture, output]);
  await expect(run).rejects.toMatchObject({ name: 'MediaRefused', message: expect.stringContaining('memory or time') });
  await rm(output, { force: true });
});

test('ffprobe that runs into its limits says so of the file', async () => {
  const clip = path.join(import.meta.dirname, '../../test/fixtures/clip.mp4');
  const starving = probeRecording(clip, 'video/mp4', ['/bin/sh', '-c', 'kill -XCPU $$']);
  await expect(starving).rejects.toMatchObject({ name: 'MediaRefused', message: expect.stringContaining('memory or time') });
});
