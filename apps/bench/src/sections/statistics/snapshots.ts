import { setTimeout as wait } from 'node:timers/promises';
import type { BenchPlatform } from '../../platform.ts';
import { cpuBetween, usageOf } from '../../process-usage.ts';
import { atLeast, atMost } from '../../report/table.ts';
import { countSnapshots, makeSnapshotsDue } from '../../store/snapshots-due.ts';
import { publish, whenPublished } from '../deliveries/publish.ts';
import type { Figure } from '../figure.ts';

const PER_SECOND = 150;
/** 100,000 a day in 5 % of a core. */
const CPU_MS = (0.05 * 24 * 3_600 * 1_000) / 100_000;
const LANES = 16;
const LIMIT_MS = 3 * 60_000;
const POLL_MS = 100;

/**
 * Publishes posts and makes their snapshots due as if hours had passed. Measures how many snapshots per second one process takes, and the CPU for
 * each.
 */
export async function snapshots(platform: BenchPlatform, count: number, say: (line: string) => void): Promise<Figure[]> {
  say(`${count} posts for snapshots`);
  const posts: string[] = [];
  const lane = async () => {
    while (posts.length < count) {
      const at = posts.push('') - 1;
      posts[at] = await publish(platform, { caption: `Counted ${at}`, restrict_publish_to: ['x'] });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await Promise.all(posts.map((id) => whenPublished(platform, id, LIMIT_MS)));
  const { mongoUrl, namespace, processes } = platform;
  const database = `${namespace}_analytics`;
  say(`${count} snapshots`);
  const before = await usageOf(processes);
  const begun = performance.now();
  await makeSnapshotsDue(mongoUrl, database, count, LIMIT_MS);
  while ((await countSnapshots(mongoUrl, database)) < count) {
    if (performance.now() - begun > LIMIT_MS) throw new Error(`Snapshots are missing after ${LIMIT_MS / 1000} s.`);
    await wait(POLL_MS);
  }
  const seconds = (performance.now() - begun) / 1000;
  const cpu = cpuBetween(before, await usageOf(processes));
  const cpuMs = ((cpu['analytics'] ?? NaN) / count) * 1000;
  const others = Object.entries(cpu).map(([name, used]) => `${name} ${((used / count) * 1000).toFixed(1)}`);
  return [
    {
      what: `${count} snapshots of posts that are due at once, by one process`,
      measured: `${(count / seconds).toFixed(0)} /s`,
      target: `≥ ${PER_SECOND} /s`,
      verdict: atLeast(PER_SECOND, count / seconds),
    },
    {
      what: `CPU of analytics for each (all, in ms: ${others.join(', ')})`,
      measured: `${cpuMs.toFixed(1)} ms`,
      target: `≤ ${CPU_MS.toFixed(0)} ms`,
      verdict: atMost(CPU_MS, cpuMs),
    },
  ];
}
