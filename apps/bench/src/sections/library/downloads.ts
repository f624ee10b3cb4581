import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePorts, waitReady } from '@fanfare/infra';
import { at } from '@fanfare/stack/service-specs';
import type { BenchPlatform } from '../../platform.ts';
import { atLeast } from '../../report/table.ts';
import { compare } from '../compare.ts';
import type { Figure } from '../figure.ts';
import { upload } from './media-api.ts';
import { largeVideo, makeVideo } from './videos.ts';

const MEGABYTES = 100;
const TARGET = 0.5;
const CONCURRENCY = 2;

/** The download rate of 100 MB, compared with a minimal Express server that sends the same file from its disk. */
export async function downloads(platform: BenchPlatform, folder: string, say: (line: string) => void): Promise<Figure[]> {
  say(`downloading ${MEGABYTES} MB`);
  const video = await largeVideo(await makeVideo(folder, { seconds: 1, size: '320x240' }), MEGABYTES * 1e6);
  const file = path.join(folder, 'download.mp4');
  await writeFile(file, video.bytes());
  const { url } = await upload(platform, createReadStream(file));

  const [port = 0] = await freePorts(1);
  const door = platform.launch('floor-files', 'apps/bench/src/floor/files.ts', { FLOOR_FILES_PORT: String(port), FLOOR_FILE: file });
  const bareUrl = `http://${at(port)}`;
  await waitReady(bareUrl, { timeoutMs: 20_000, process: door });

  const get = (name: string, from: URL) => ({
    name,
    target: { origin: from.origin, request: () => ({ method: 'GET' as const, path: from.pathname + from.search }) },
    processes: {},
  });
  const contenders = [get('floor', new URL(`${bareUrl}/file`)), get('ours', new URL(url))];
  const { floor, ours } = await compare(contenders, { concurrency: CONCURRENCY, rounds: 5, seconds: 4 });
  const [bare = 0, own = 0] = [floor?.perSecond, ours?.perSecond].map((perSecond = 0) => perSecond * MEGABYTES);
  return [
    {
      what: `download of ${MEGABYTES} MB, ${CONCURRENCY} at a time, compared with Express's sendFile`,
      measured: `${own.toFixed(0)} of ${bare.toFixed(0)} MB/s: ${(own / bare).toFixed(2)} ×`,
      target: `≥ ${TARGET} ×`,
      verdict: atLeast(TARGET, own / bare),
    },
  ];
}
