import type { BenchPlatform } from '../../platform.ts';
import { cpuBetween, usageOf } from '../../process-usage.ts';
import { atLeast, atMost } from '../../report/table.ts';
import type { Figure } from '../figure.ts';
import { organizations } from '../organizations.ts';
import { collectDeliveries, PLATFORMS, untilOpen, untilPublished } from './collect-deliveries.ts';
import type { Publisher } from './publish.ts';

const PER_SECOND = 200;
const CPU_MS = 5;
const WARM_UP = 400;

/** They receive events about what was sent, and their work is not measured: they do it afterwards. */
const HEARERS = ['content', 'library'];

/**
 * Text posts wait behind a pause until all of them are rows of the publisher; then the pause ends. Measures how soon all of them are sent, and the
 * CPU of the publisher, including its events. Content and the library are suspended meanwhile.
 */
export async function textDeliveries(platform: BenchPlatform, count: number, say: (line: string) => void): Promise<Figure[]> {
  const publishers = await organizations(platform, PLATFORMS);
  say(`${WARM_UP} text deliveries that are not counted`);
  await deliver(platform, publishers, WARM_UP);
  say(`${count} text deliveries`);
  const { seconds, cpu } = await deliver(platform, publishers, count);
  const cpuMs = ((cpu['publisher'] ?? NaN) / count) * 1000;
  const others = Object.entries(cpu).map(([name, used]) => `${name} ${((used / count) * 1000).toFixed(1)}`);
  return [
    {
      what: `${count} text deliveries, half to X and half to Facebook`,
      measured: `${(count / seconds).toFixed(0)} /s`,
      target: `≥ ${PER_SECOND} /s`,
      verdict: atLeast(PER_SECOND, count / seconds),
    },
    {
      what: `CPU of the publisher for each (all, in ms: ${others.join(', ')})`,
      measured: `${cpuMs.toFixed(1)} ms`,
      target: `≤ ${CPU_MS} ms`,
      verdict: atMost(CPU_MS, cpuMs),
    },
  ];
}

async function deliver(platform: BenchPlatform, publishers: readonly Publisher[], count: number) {
  const { processes } = platform;
  const { release, posts } = await collectDeliveries(platform, publishers, count);
  const hearers = HEARERS.flatMap((name) => processes[name] ?? []);
  for (const pid of hearers) process.kill(pid, 'SIGSTOP');
  try {
    const before = await usageOf(processes);
    const begun = performance.now();
    await release();
    await untilOpen(platform, (open) => open === 0);
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, cpu: cpuBetween(before, await usageOf(processes)) };
  } finally {
    for (const pid of hearers) process.kill(pid, 'SIGCONT');
    // Nothing of this remains for the next section.
    await untilPublished(posts);
  }
}
