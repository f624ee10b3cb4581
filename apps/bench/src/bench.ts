import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startFloor } from './floor/start-floor.ts';
import type { Options, Section } from './options.ts';
import { startPlatform, type BenchPlatform } from './platform.ts';
import { report } from './report/report.ts';
import { deepPages, type DeepPages } from './sections/deep-pages.ts';
import { largeVideoDelivery } from './sections/deliveries/large-video.ts';
import { textDeliveries } from './sections/deliveries/text-deliveries.ts';
import { twoPublishers } from './sections/deliveries/two-publishers.ts';
import { claims } from './sections/due/claims.ts';
import { duePosts } from './sections/due/due-posts.ts';
import type { Figure } from './sections/figure.ts';
import { besideJobs } from './sections/generation/beside-jobs.ts';
import { rendering } from './sections/generation/rendering.ts';
import { downloads } from './sections/library/downloads.ts';
import { folders } from './sections/library/folders.ts';
import { largeMedia } from './sections/library/large-media.ts';
import { probing } from './sections/library/probing.ts';
import { transcoding } from './sections/library/transcoding.ts';
import { idleMemory, residentMb } from './sections/memory.ts';
import { publishLatency } from './sections/publish-latency.ts';
import { queues } from './sections/queues.ts';
import { soak, type Soak } from './sections/soak.ts';
import { liveReads } from './sections/statistics/live-reads.ts';
import { snapshots } from './sections/statistics/snapshots.ts';
import { summaryOfAYear } from './sections/statistics/summary.ts';
import { feed } from './sections/webhooks/feed.ts';
import { webhooks } from './sections/webhooks/webhooks.ts';
import { throughput, type Group, type Row } from './sections/throughput.ts';
import { floorSide, ourSide } from './sides.ts';

/** The results; sections that were not selected are absent. */
export interface Measured {
  /** By process, in MB. */
  readonly idleMb?: Readonly<Record<string, number>>;
  /** One for each publication. */
  readonly publishMs?: readonly number[];
  readonly throughput?: readonly Row[];
  /** By process, in MB, before and after the throughput was measured. */
  readonly loadMb?: { readonly before: Readonly<Record<string, number>>; readonly after: Readonly<Record<string, number>> };
  readonly deliveries?: readonly Figure[];
  readonly deepPages?: DeepPages;
  readonly soak?: Soak;
  readonly statistics?: readonly Figure[];
  readonly generation?: readonly Figure[];
  readonly webhooks?: readonly Figure[];
  readonly library?: readonly Figure[];
  readonly queues?: readonly Figure[];
}

const say = (line: string) => console.error(line);

/** Runs the selected sections. */
export async function bench(options: Options): Promise<string> {
  const profileDir = options.profile === undefined ? undefined : path.resolve(process.env['INIT_CWD'] ?? '.', options.profile);
  const platform = await startPlatform(say, profileDir);
  const interrupted = new Promise<never>((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => reject(new Error('Stopped.')));
  });
  try {
    return report(await Promise.race([measure(platform, options), interrupted]), options.json);
  } finally {
    await platform.stop();
  }
}

async function measure(platform: BenchPlatform, options: Options): Promise<Measured> {
  const { seconds, rounds } = options;
  const wants = (section: Section) => options.sections.includes(section);
  const groups = (['reads', 'stats', 'list', 'creates'] as const satisfies Group[]).filter(wants);

  const idleMb = wants('memory') ? await idleMemory(platform.processes) : undefined;
  const publishMs = wants('publish') ? await publishLatency(platform, options.publications) : undefined;
  const compared = groups.length > 0 ? await compareWithFloor() : undefined;
  const deep = wants('deep-pages') ? await deepPages(platform, options.posts, { concurrency: 1, rounds, seconds }, say) : undefined;
  const soaked = wants('soak') ? await soak(platform, await ourSide(platform), options.requests, say) : undefined;
  const deliveries = await inFolder(async (folder) => [
    ...(wants('deliveries') ? await textDeliveries(platform, options.deliveries, say) : []),
    ...(wants('due') ? await duePosts(platform, say) : []),
    ...(wants('two-publishers') ? await twoPublishers(platform, say) : []),
    ...(wants('claims') ? await claims(platform, options.scheduled, say) : []),
    ...(wants('large-video') ? await largeVideoDelivery(platform, folder, options.megabytes ?? 1000, say) : []),
  ]);
  const statistics = [
    ...(wants('live-reads') ? await liveReads(platform, say) : []),
    ...(wants('snapshots') ? await snapshots(platform, options.snapshots, say) : []),
    ...(wants('summary') ? await summaryOfAYear(platform, options.points, say) : []),
  ];
  const generation = [
    ...(wants('rendering') ? await rendering(platform, say) : []),
    ...(wants('beside-jobs') ? await besideJobs(platform, say) : []),
  ];
  const sent = [
    ...(wants('webhooks') ? await webhooks(platform, say) : []),
    ...(wants('feed') ? await feed(platform, options.events, say) : []),
  ];
  const library = await inFolder(measureLibrary);
  const queued = wants('queues') ? await queues(platform, options.queued, say) : undefined;
  return {
    ...(idleMb && { idleMb }),
    ...(publishMs && { publishMs }),
    ...compared,
    ...(deep && { deepPages: deep }),
    ...(soaked && { soak: soaked }),
    ...(deliveries.length > 0 && { deliveries }),
    ...(statistics.length > 0 && { statistics }),
    ...(generation.length > 0 && { generation }),
    ...(sent.length > 0 && { webhooks: sent }),
    ...(library.length > 0 && { library }),
    ...(queued && { queues: queued }),
  };

  async function measureLibrary(folder: string): Promise<Figure[]> {
    return [
      ...(wants('probing') ? await probing(platform, folder, say) : []),
      ...(wants('downloads') ? await downloads(platform, folder, say) : []),
      ...(wants('transcoding') ? await transcoding(platform, folder, say) : []),
      ...(wants('large-media') ? await largeMedia(platform, folder, options.megabytes ?? 2000, say) : []),
      ...(wants('folders') ? await folders(platform, options.files, say) : []),
    ];
  }

  async function compareWithFloor(): Promise<Pick<Measured, 'throughput' | 'loadMb'>> {
    const floor = await startFloor(platform);
    const sides = { floor: await floorSide(floor, platform), ours: await ourSide(platform) };
    const before = await residentMb(platform.processes);
    const rows = await throughput(platform, floor, sides, { groups, concurrencies: options.concurrencies, rounds, seconds }, say);
    return { throughput: rows, loadMb: { before, after: await residentMb(platform.processes) } };
  }
}

/** For files that are needed while something is measured. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'fanfare-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
