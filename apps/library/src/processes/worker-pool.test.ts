import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import sharp from 'sharp';
import { findLaunchers } from '@fanfare/media-tools';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

let directory: string;
let image: string;
let pool: WorkerPool;
let hasNetwork: boolean;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'pool-'));
  image = path.join(directory, 'image.jpg');
  await writeFile(
    image,
    await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer(),
  );
  const env = { PATH: '/usr/bin:/bin' };
  const hangs = path.join(directory, 'hangs');
  const { worker: launcher, limits } = await findLaunchers(env);
  hasNetwork = limits['network'] === true;
  const settings = { tools: { ffmpeg: ['ffmpeg'], ffprobe: [hangs] }, launcher, priority: 0, env } as const;
  // In place of ffmpeg and ffprobe: a decoder that never ends.
  await writeFile(hangs, '#!/bin/sh\nsleep 1000\nexit 0\n', { mode: 0o755 });
  pool = createWorkerPool({ size: 1, settings, log: createLogger('test', 'silent') });
});
afterAll(async () => {
  pool.close();
  await eventually(() => workers().length === 0);
  await rm(directory, { recursive: true });
});

const video = path.join(import.meta.dirname, '../../test/fixtures/clip.mp4');
const probe = (file: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  pool.run({ kind: 'probe', file }, { timeoutMs: 60_000, ...more });

/** Processes whose command line contains the directory of this test: workers and the programs that they started. */
function workers(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && commandLine(pid).includes(directory));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

test('one process runs one job after another', async () => {
  await Promise.all([probe(image), probe(image)]);
  expect(workers()).toHaveLength(1);
  expect(await probe(image)).toMatchObject({ width: 40, height: 30 });
});

test('a worker gets no secrets, and is killed first if memory runs out', async () => {
  await probe(image);
  const [pid] = workers();
  const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  expect(environment.filter((entry) => !/^(PATH|NODE_CHANNEL_\w+)=/.test(entry))).toEqual(['']);
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1')).toBe('1000\n');
});

test('a worker has limits on open files, no core dumps, and no network if this machine permits that', async () => {
  await probe(image);
  const [pid] = workers();
  const limits = readFileSync(`/proc/${pid}/limits`, 'latin1');
  expect(limits).toMatch(/Max open files +512 +512/);
  expect(limits).toMatch(/Max core file size +0 +0/);
  const network = (of: string) => readlinkSync(`/proc/${of}/ns/net`);
  expect(network(String(pid)) === network('self')).toBe(hasNetwork);
});

test('a rejection keeps its message', async () => {
  await writeFile(path.join(directory, 'text'), 'no image');
  await expect(probe(path.join(directory, 'text'))).rejects.toMatchObject({
    name: 'MediaRejected',
    message: expect.stringContaining('not a JPEG'),
  });
});

test('a process that dies fails only its own job', async () => {
  const job = probe(video).catch((error: unknown) => error);
  const [pid] = await eventually(() => workers().length > 1 && workers());
  process.kill(pid!, 'SIGKILL');
  expect(await job).toMatchObject({ name: 'WorkerLost' });
  await eventually(() => workers().length === 0);
  expect(await probe(image)).toMatchObject({ width: 40 });
});

test('a job that times out or is aborted ends with all programs that it started', async () => {
  await expect(probe(video, { timeoutMs: 500 })).rejects.toMatchObject({ name: 'WorkerLost' });
  await eventually(() => workers().length === 0);
  const unwanted = new AbortController();
  const job = probe(video, { signal: unwanted.signal }).catch((error: unknown) => error);
  await eventually(() => workers().length > 1);
  unwanted.abort(new Error('nobody wants it'));
  expect(await job).toMatchObject({ message: 'nobody wants it' });
  await eventually(() => workers().length === 0);
  expect(await probe(image)).toMatchObject({ width: 40 });
});
