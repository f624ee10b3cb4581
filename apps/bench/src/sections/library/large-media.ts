import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BenchPlatform } from '../../platform.ts';
import { usageOf, type Processes } from '../../process-usage.ts';
import { atMost } from '../../report/table.ts';
import { idleMemory } from '../memory.ts';
import type { Figure } from './figure.ts';
import { importUrl, upload } from './media-api.ts';
import { largeVideo, makeVideo, type LargeVideo } from './videos.ts';

const GROWTH_MB = 60;
const WARM_UP_BYTES = 16e6;
const SAMPLE_MS = 50;
const INFRASTRUCTURE = ['mongod', 'kafka'];

/** How much each of our processes grows, at most, while a large video is uploaded, and while one is fetched. */
export async function largeMedia(
  platform: BenchPlatform,
  folder: string,
  megabytes: number,
  say: (line: string) => void,
): Promise<Figure[]> {
  const small = await makeVideo(folder, { seconds: 1, size: '320x240' });
  // Two videos: of the same bytes the second would be stored already.
  const [uploaded, fetched] = [await largeVideo(small, megabytes * 1e6), await largeVideo(small, megabytes * 1e6 + 1)];
  const ours = Object.fromEntries(Object.entries(platform.processes).filter(([name]) => !INFRASTRUCTURE.includes(name)));

  // What the first media costs, whatever its size, is not what is measured: code that is loaded and compiled, connections, buffers that stay.
  const [first, second] = [await largeVideo(small, WARM_UP_BYTES), await largeVideo(small, WARM_UP_BYTES + 1)];
  await upload(platform, first.bytes());
  await served(platform.filesPort, second, () => importUrl(platform, platform.filesUrl));

  say(`uploading ${megabytes} MB`);
  const uploading = await growth(ours, () => upload(platform, uploaded.bytes()));
  say(`fetching ${megabytes} MB`);
  const fetching = await growth(ours, () => served(platform.filesPort, fetched, () => importUrl(platform, platform.filesUrl)));
  return [...figures(`upload of ${megabytes} MB`, uploading), ...figures(`fetch of ${megabytes} MB`, fetching)];
}

function figures(what: string, { mb, seconds }: { mb: Record<string, number>; seconds: number }): Figure[] {
  return Object.entries(mb).map(([name, grown]) => ({
    what: `${what} in ${seconds.toFixed(0)} s: ${name} grows by`,
    measured: `${grown.toFixed(0)} MB`,
    target: `≤ ${GROWTH_MB} MB`,
    verdict: atMost(GROWTH_MB, grown),
  }));
}

async function growth(processes: Processes, work: () => Promise<unknown>): Promise<{ mb: Record<string, number>; seconds: number }> {
  await idleMemory(processes);
  const before = await usageOf(processes);
  const most: Record<string, number> = {};
  const sample = async () => {
    for (const [name, { residentBytes }] of Object.entries(await usageOf(processes))) {
      most[name] = Math.max(most[name] ?? 0, (residentBytes - (before[name]?.residentBytes ?? 0)) / 1e6);
    }
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  const begun = performance.now();
  try {
    await work();
    await sample();
  } finally {
    clearInterval(timer);
  }
  return { mb: most, seconds: (performance.now() - begun) / 1000 };
}

/** A server of the bench's own, which the library is allowed to fetch from. */
async function served<T>(port: number, video: LargeVideo, work: () => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': video.sizeBytes });
    if (request.method === 'HEAD') return void response.end();
    pipeline(Readable.from(video.bytes()), response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  try {
    return await work();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
