import type { Floor } from '../floor/start-floor.ts';
import {
  createDraft,
  createScheduled,
  createWithKey,
  getBusiness,
  getPost,
  getStats,
  listPosts,
  type Operation,
  type Side,
} from '../operations.ts';
import { outboxEmpty } from '../outbox-empty.ts';
import type { BenchPlatform } from '../platform.ts';
import { reading, readingStats, writing } from '../taking-part.ts';
import { compare, type Contender, type Figures, type Turns } from './compare.ts';

/** The groups: operations of ours, and the operation of the baseline that does the same. */
const GROUPS = {
  reads: [
    { floor: getPost, ours: { 'GET a post': getPost } },
    { floor: getBusiness, ours: { 'GET a business': getBusiness } },
  ],
  stats: [{ floor: getStats, ours: { 'GET the stats of an account': getStats } }],
  list: [
    { floor: listPosts(100), ours: { 'GET 100 posts': listPosts(100) } },
    // 40 KB.
    { floor: listPosts(38), ours: { 'GET 38 posts': listPosts(38) } },
  ],
  creates: [
    {
      floor: createDraft,
      ours: { 'POST a draft': createDraft, 'POST a scheduled post': createScheduled, 'POST a draft, with key': createWithKey },
    },
  ],
} as const satisfies Record<string, readonly { floor: Operation; ours: Record<string, Operation> }[]>;

export type Group = keyof typeof GROUPS;

const TAKING_PART = { reads: reading, stats: readingStats, list: reading, creates: writing } as const satisfies Record<Group, unknown>;

export interface Row {
  readonly operation: string;
  readonly group: Group;
  readonly concurrency: number;
  readonly floor: Figures;
  readonly ours: Figures;
}

/** Requests per second, latency and CPU of the groups, next to the baseline's in the same run. */
export async function throughput(
  platform: BenchPlatform,
  floor: Floor,
  sides: { floor: Side; ours: Side },
  { groups, concurrencies, rounds, seconds }: { groups: readonly Group[]; concurrencies: readonly number[] } & Omit<Turns, 'concurrency'>,
  say: (line: string) => void,
): Promise<Row[]> {
  const drain = () => outboxEmpty(platform.contentAdminUrl);
  const rows: Row[] = [];
  for (const group of groups) {
    for (const concurrency of concurrencies) {
      for (const { floor: bare, ours } of GROUPS[group]) {
        say(`measuring ${Object.keys(ours).join(', ')}: ${concurrency} at a time`);
        const contenders: Contender[] = [
          { name: 'floor', target: bare(sides.floor), processes: floor.processes },
          ...Object.entries(ours).map(([name, operation]) => ({
            ...{
              name,
              target: operation(sides.ours),
              processes: TAKING_PART[group](platform.processes),
            },
            ...(group === 'creates' && { drain }),
          })),
        ];
        const { floor: floorFigures, ...figures } = await compare(contenders, { concurrency, rounds, seconds });
        for (const [operation, each] of Object.entries(figures)) {
          rows.push({ operation, group, concurrency, floor: floorFigures as Figures, ours: each });
        }
      }
    }
  }
  return rows;
}
