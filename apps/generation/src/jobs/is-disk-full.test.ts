import { writeFile } from 'node:fs/promises';
import { findLaunchers, findTools, runFfmpeg } from '@fanfare/media-tools';
import { createLogger } from '@fanfare/runtime';
import { isDiskFull } from './is-disk-full.ts';

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

// Linux has a full device for tests.
test('a full disk is recognized from errors of Node and of ffmpeg', async () => {
  expect(isDiskFull(await failure(writeFile('/dev/full', 'x'.repeat(100_000))))).toBe(true);
  const env = { PATH: process.env['PATH'] ?? '' };
  const { ffmpeg } = await findTools(env, await findLaunchers(env), createLogger('generation', 'silent'));
  const video = ['-f', 'lavfi', '-i', 'color=size=320x240:duration=1', '-f', 'rawvideo', '/dev/full'];
  expect(isDiskFull(await failure(runFfmpeg(ffmpeg, video)))).toBe(true);
  expect(isDiskFull(await failure(writeFile('/nowhere/file', 'x')))).toBe(false);
});
