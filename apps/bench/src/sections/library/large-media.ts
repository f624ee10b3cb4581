import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BenchPlatform } from '../../platform.ts';
import type { Figure } from '../figure.ts';
import { growth, growthFigures, oursOf } from '../growth.ts';
import { importUrl, upload } from './media-api.ts';
import { largeVideo, makeVideo, type LargeVideo } from './videos.ts';

const GROWTH_MB = 60;
const WARM_UP_BYTES = 16e6;

/** The maximum growth of each of our processes while a large video is uploaded, and while one is fetched. */
export async function largeMedia(
  platform: BenchPlatform,
  folder: string,
  megabytes: number,
  say: (line: string) => void,
): Promise<Figure[]> {
  const small = await makeVideo(folder, { seconds: 1, size: '320x240' });
  // Two videos: the library would have stored the second one already if it had the same bytes.
  const [uploaded, fetched] = [await largeVideo(small, megabytes * 1e6), await largeVideo(small, megabytes * 1e6 + 1)];
  const ours = oursOf(platform.processes);

  // The fixed cost of the first media is not measured: loaded and compiled code, connections, buffers that remain.
  const [first, second] = [await largeVideo(small, WARM_UP_BYTES), await largeVideo(small, WARM_UP_BYTES + 1)];
  await upload(platform, first.bytes());
  await served(platform.filesPort, second, () => importUrl(platform, platform.filesUrl));

  say(`uploading ${megabytes} MB`);
  const uploading = await growth(ours, () => upload(platform, uploaded.bytes()));
  say(`fetching ${megabytes} MB`);
  const fetching = await growth(ours, () => served(platform.filesPort, fetched, () => importUrl(platform, platform.filesUrl)));
  return [
    ...growthFigures(`upload of ${megabytes} MB`, uploading, GROWTH_MB),
    ...growthFigures(`fetch of ${megabytes} MB`, fetching, GROWTH_MB),
  ];
}

/** A server of the bench from which the library may fetch. */
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
