import { createLoadGenerator } from '../../load/run-load.ts';
import { percentile } from '../../percentile.ts';
import type { BenchPlatform } from '../../platform.ts';
import { atMost } from '../../report/table.ts';
import type { Figure } from '../figure.ts';
import { ended, generate, generationUsage, start } from './api.ts';

const JOBS = 10;
const SECONDS = 6;
const LATENCY_FACTOR = 2;
const MEMORY_MB = 400;
const SAMPLE_MS = 50;

/** The latency of `GET job` while ten jobs render, compared with an idle service; and the memory of generation meanwhile. */
export async function besideJobs(platform: BenchPlatform, say: (line: string) => void): Promise<Figure[]> {
  say('reading a job while others render');
  const { baseUrl, apiKey, businessId } = platform;
  const jobId = await start(platform, { count: 1 });
  await ended(platform, jobId);
  await generate(platform, { creative_formats: ['design', 'carousel'], count: 10 });
  const headers = { authorization: `Bearer ${apiKey}` };
  const path = `/api/businesses/${businessId}/jobs/${jobId}`;
  const reads = createLoadGenerator({ origin: baseUrl, request: () => ({ method: 'GET', path, headers }) }, 1);
  const p99 = async () => percentile((await reads.run({ seconds: SECONDS })).latenciesMs, 99);
  let most = 0;
  const sampling = setInterval(
    () => void generationUsage(platform).then((usage) => (most = Math.max(most, usage?.residentBytes ?? 0))),
    SAMPLE_MS,
  );
  try {
    await p99();
    const quiet = await p99();
    const jobs = await Promise.all(
      Array.from({ length: JOBS }, () => start(platform, { creative_formats: ['design', 'carousel'], count: 10 })),
    );
    const busy = await p99();
    await Promise.all(jobs.map((job) => ended(platform, job)));
    return [
      {
        what: `GET a job while ${JOBS} jobs render, p99`,
        measured: `${quiet.toFixed(1)} → ${busy.toFixed(1)} ms: ${(busy / quiet).toFixed(2)} ×`,
        target: `≤ ${LATENCY_FACTOR} ×`,
        verdict: atMost(LATENCY_FACTOR, busy / quiet),
      },
      {
        what: 'memory of generation meanwhile, at most',
        measured: `${(most / 1e6).toFixed(0)} MB`,
        target: `≤ ${MEMORY_MB} MB`,
        verdict: atMost(MEMORY_MB, most / 1e6),
      },
    ];
  } finally {
    clearInterval(sampling);
    await reads.close();
  }
}
