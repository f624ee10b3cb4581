import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '../../percentile.ts';
import type { BenchPlatform } from '../../platform.ts';
import { cpuBetween, usageOf } from '../../process-usage.ts';
import { atMost } from '../../report/table.ts';
import { dueQueriesOf, fillSchedule, untilClaimed } from '../../store/schedule.ts';
import type { Figure } from '../figure.ts';
import { schedulePosts, timeFor } from './schedule-posts.ts';

const CLAIMED = 200;
const FEW = 10_000;
/** "The same cost", with a margin for noise. */
const SAME = 1.2;
const ROUNDS = 5;
const BEFORE_MS = 500;
const LIMIT_MS = 60_000;
/** They would use the same cores for what the claims cause. */
const SUSPENDED = ['gateway', 'library', 'publisher', 'analytics', 'generation', 'webhooks', 'sandbox'];

/** Claiming due posts while ten thousand others are scheduled for later, and while many are. */
export async function claims(platform: BenchPlatform, scheduled: number, say: (line: string) => void): Promise<Figure[]> {
  const { organizationId, businessId } = platform;
  const [caption = ''] = await schedulePosts(platform, [
    { organizationId, businessId, platform: 'x', dueAt: new Date(Date.now() + 365 * 86_400_000) },
  ]);
  say(`claiming ${CLAIMED} due posts among ${FEW}`);
  await fillSchedule(platform, idIn(caption), 0, FEW);
  await cpuOfClaims(platform);
  const few = await measure(platform);
  say(`scheduling ${scheduled - FEW} more posts`);
  await fillSchedule(platform, idIn(caption), FEW, scheduled);
  say(`claiming ${CLAIMED} due posts among ${scheduled}`);
  await cpuOfClaims(platform);
  const many = await measure(platform);
  const ratio = many.cpuMs / few.cpuMs;
  return [
    {
      what: `CPU of claiming a due post among ${FEW} and among ${scheduled} scheduled posts: content and MongoDB`,
      measured: `${few.cpuMs.toFixed(2)} → ${many.cpuMs.toFixed(2)} ms: ${ratio.toFixed(2)} ×`,
      target: `≤ ${SAME} ×`,
      verdict: atMost(SAME, ratio),
    },
    {
      what: `index keys that the queries for due posts examined for each claimed post (documents: ${few.documents.toFixed(1)} → ${many.documents.toFixed(1)})`,
      measured: `${few.keys.toFixed(1)} → ${many.keys.toFixed(1)}`,
      target: `≤ ${SAME} ×`,
      verdict: atMost(SAME, many.keys / few.keys),
    },
  ];
}

/** The median of some rounds, and what the queries read in one more. */
async function measure(platform: BenchPlatform): Promise<{ cpuMs: number; keys: number; documents: number }> {
  const cpuMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) cpuMs.push(await cpuOfClaims(platform));
  const { keys, documents } = await dueQueriesOf(platform, () => cpuOfClaims(platform));
  return { cpuMs: percentile(cpuMs, 50), keys: keys / CLAIMED, documents: documents / CLAIMED };
}

/** CPU of content and MongoDB in milliseconds for each claimed post, from shortly before they are due. */
async function cpuOfClaims(platform: BenchPlatform): Promise<number> {
  const { organizationId, businessId, processes } = platform;
  const dueAt = timeFor(CLAIMED);
  const one = { organizationId, businessId, platform: 'x', dueAt };
  const captions = await schedulePosts(
    platform,
    Array.from({ length: CLAIMED }, () => one),
  );
  const ids = captions.map(idIn);
  await wait(Math.max(0, dueAt.getTime() - BEFORE_MS - Date.now()));
  const suspended = SUSPENDED.flatMap((name) => processes[name] ?? []);
  for (const pid of suspended) process.kill(pid, 'SIGSTOP');
  try {
    const before = await usageOf(processes);
    await untilClaimed(platform, ids, LIMIT_MS);
    const { content = NaN, mongod = 0 } = cpuBetween(before, await usageOf(processes));
    return ((content + mongod) / CLAIMED) * 1000;
  } finally {
    for (const pid of suspended) process.kill(pid, 'SIGCONT');
  }
}

/** The captions of scheduled posts end with the ids. */
const idIn = (caption: string): string => caption.split(' ').at(-1) ?? '';
