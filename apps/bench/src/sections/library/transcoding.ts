import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { MakeDerivativeRequest } from '@fanfare/contracts/library';
import { createLoadGenerator } from '../../load/run-load.ts';
import { percentile } from '../../percentile.ts';
import type { BenchPlatform } from '../../platform.ts';
import { atMost } from '../../report/table.ts';
import type { Figure } from '../figure.ts';
import { upload } from './media-api.ts';
import { makeVideo } from './videos.ts';

const VIDEOS = 4;
const TARGET = 2;
const SECONDS = 6;
const RECIPE = { mimeType: 'video/mp4', maxWidth: 640, maxFrameRate: 24 };

/** The latency of `GET /api/businesses` while the library transcodes on all cores that it may use, compared with an idle library. */
export async function transcoding(platform: BenchPlatform, folder: string, say: (line: string) => void): Promise<Figure[]> {
  say('transcoding');
  const ids: string[] = [];
  for (let seed = 1; seed <= VIDEOS; seed++) {
    const video = await makeVideo(folder, { seconds: 40, size: '1280x720', seed });
    ids.push((await upload(platform, createReadStream(video))).id);
  }
  const { baseUrl, apiKey, operator, library, organizationId, businessId } = platform;
  const headers = { authorization: `Bearer ${apiKey}` };
  const list = createLoadGenerator({ origin: baseUrl, request: () => ({ method: 'GET', path: '/api/businesses', headers }) }, 1);
  const p50 = async () => percentile((await list.run({ seconds: SECONDS })).latenciesMs, 50);
  const derivative = async (mediaId: string) => {
    const request = MakeDerivativeRequest.fromPartial({ mediaId, recipe: RECIPE, validForSeconds: 3600 });
    return (await library.makeDerivative(request, operator.as({ organizationId, businessId }))).status;
  };
  try {
    await list.run({ seconds: SECONDS });
    // By now, thumbnails and covers of the upload have been created.
    const quiet = await p50();
    for (const id of ids) await derivative(id);
    await wait(1_000);
    const busy = await p50();
    const statuses = await Promise.all(ids.map(derivative));
    if (!statuses.includes('MEDIA_STATUS_PROCESSING'))
      throw new Error(`Transcoding was over too soon to measure next to it: ${statuses.join(', ')}`);
    return [
      {
        what: 'GET /api/businesses while the library transcodes, p50',
        measured: `${quiet.toFixed(1)} → ${busy.toFixed(1)} ms: ${(busy / quiet).toFixed(2)} ×`,
        target: `≤ ${TARGET} ×`,
        verdict: atMost(TARGET, busy / quiet),
      },
    ];
  } finally {
    await list.close();
  }
}
