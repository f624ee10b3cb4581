import { percentile } from '../../percentile.ts';
import type { BenchPlatform } from '../../platform.ts';
import { atMost } from '../../report/table.ts';
import type { Figure } from '../figure.ts';
import { call, generate, generationUsage, timed } from './api.ts';

const DESIGN_CPU_MS = 150;
const SLIDES_MS = 1_200;
const JOB_MS = 5_000;
const VIDEO_MS = 20_000;
const WARM_UP = 10;
const RENDERINGS = 30;
const RUNS = 5;

/** How long a design, ten slides, a job of ten designs and a video of slides take with loaded fonts. */
export async function rendering(platform: BenchPlatform, say: (line: string) => void): Promise<Figure[]> {
  say('rendering');
  const design = await call(platform, 'POST', '/designs', {
    template_id: 'bold-headline',
    pages: [
      { texts: { headline: 'Fresh sourdough from seven every morning', body: 'Three loaves, one starter, and flour from the mill.' } },
    ],
  });
  const render = () => call(platform, 'POST', `/designs/${String(design['id'])}/render`, { aspect_ratio: '1:1' });
  for (let run = 0; run < WARM_UP; run++) await render();
  const before = await generationUsage(platform);
  const tookMs: number[] = [];
  for (let run = 0; run < RENDERINGS; run++) tookMs.push(await timed(render));
  const cpuMs = (((await generationUsage(platform))?.cpuSeconds ?? NaN) - (before?.cpuSeconds ?? NaN)) * (1_000 / RENDERINGS);

  const pages = Array.from({ length: 10 }, (_, index) => ({
    texts: { headline: `Slide ${index + 1} of ten`, body: 'It rests for a whole day.' },
  }));
  const slides = () => call(platform, 'POST', '/designs', { template_id: 'carousel-bold', pages });
  const designs = () => generate(platform, { creative_formats: ['design'], count: 10 });
  await designs();
  const video = await timed(() => generate(platform, { creative_formats: ['video'], count: 1, aspect_ratio: '9:16' }));
  return [
    figure(
      `CPU of generation for a design of 1080 × 1080 (p50 of the call: ${percentile(tookMs, 50).toFixed(0)} ms)`,
      cpuMs,
      DESIGN_CPU_MS,
    ),
    figure('a design of 10 slides, created and stored, p50', await median(slides), SLIDES_MS),
    figure('a job of 10 designs by the embedded composer, p50', await median(designs), JOB_MS),
    figure('a job of a video of slides, 15 s long at most', video, VIDEO_MS),
  ];
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const tookMs: number[] = [];
  for (let run = 0; run < RUNS; run++) tookMs.push(await timed(work));
  return percentile(tookMs, 50);
}

const figure = (what: string, ms: number, most: number): Figure => ({
  what,
  measured: `${ms.toFixed(0)} ms`,
  target: `≤ ${most} ms`,
  verdict: atMost(most, ms),
});
