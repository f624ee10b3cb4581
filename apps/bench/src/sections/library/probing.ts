import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchPlatform } from '../../platform.ts';
import { atMost } from '../../report/table.ts';
import { readMetrics } from '../../samples-of.ts';
import type { Figure } from '../figure.ts';
import { makeImage } from './images.ts';
import { upload } from './media-api.ts';

const IMAGES = 20;
/** Typical files of phones and design tools. */
const KINDS = ['jpg', 'png', 'webp'] as const;
const SIZE = '1920x1080';
const TARGET_MS = 15;
const BETWEEN_MS = 500;

/** How long the library takes to probe an image, by its own metrics; the mean, one image after the other. */
export async function probing(platform: BenchPlatform, folder: string, say: (line: string) => void): Promise<Figure[]> {
  say('probing images');
  const figures: Figure[] = [];
  for (const kind of KINDS) {
    const images: string[] = [];
    for (let seed = 0; seed <= IMAGES; seed++) images.push(await makeImage(folder, { size: SIZE, kind, seed }));
    const [first = '', ...rest] = images;
    // The worker loads its decoders with the first image.
    await upload(platform, createReadStream(first));
    const before = await probes(platform);
    for (const image of rest) {
      // By then its thumbnail has been created.
      await wait(BETWEEN_MS);
      await upload(platform, createReadStream(image));
    }
    const after = await probes(platform);
    const ms = ((after.seconds - before.seconds) / (after.count - before.count)) * 1000;
    figures.push({
      what: `probing a ${kind} of ${SIZE}`,
      measured: `${ms.toFixed(1)} ms`,
      target: `≤ ${TARGET_MS} ms`,
      verdict: atMost(TARGET_MS, ms),
    });
  }
  return figures;
}

async function probes({ adminUrls }: BenchPlatform): Promise<{ seconds: number; count: number }> {
  const text = await readMetrics(adminUrls['library'] ?? '');
  const sample = (end: string) =>
    Number(new RegExp(`^fanfare_library_probe_seconds_${end}{[^}]*type="image".*} (\\S+)$`, 'm').exec(text)?.[1]);
  return { seconds: sample('sum'), count: sample('count') };
}
