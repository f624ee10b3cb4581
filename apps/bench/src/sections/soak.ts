import { createLoadGenerator, type Target } from '../load/run-load.ts';
import { createDraft, getPost, listPosts, type Side } from '../operations.ts';
import { outboxEmpty } from '../outbox-empty.ts';
import type { BenchPlatform } from '../platform.ts';
import { leastHeaps } from './least-heaps.ts';
import { idleMemory } from './memory.ts';

export interface Soak {
  /** Without the warm-up. */
  readonly requests: number;
  readonly seconds: number;
  /** By process, in MB, during the first quarter of the requests and during the last. */
  readonly heapMb: BeforeAndAfter;
  /** By process, in MB, after half of the requests and after all of them, each time after a while without work. */
  readonly residentMb: BeforeAndAfter;
}

export interface BeforeAndAfter {
  readonly before: Readonly<Record<string, number>>;
  readonly after: Readonly<Record<string, number>>;
}

const CONCURRENCY = 16;
const LIMIT_SECONDS = 300;

/** Of twenty requests one lists 100 posts, two create, the others read. */
export async function soak(platform: BenchPlatform, side: Side, requests: number, say: (line: string) => void): Promise<Soak> {
  const generator = createLoadGenerator(mixed(side), CONCURRENCY);
  let responses = 0;
  let seconds = 0;
  const quarter = async () => {
    const load = await generator.run({ requests: Math.ceil(requests / 4), seconds: LIMIT_SECONDS });
    responses += load.responses;
    seconds += load.seconds;
  };
  const idleMb = async () => {
    await outboxEmpty(platform.contentAdminUrl);
    return idleMemory(platform.processes);
  };
  try {
    say(`${requests} requests, after a tenth as many that are not counted`);
    await generator.run({ requests: requests / 10, seconds: LIMIT_SECONDS });
    const firstHeapMb = await leastHeaps(platform.adminUrls, quarter);
    await quarter();
    const halfwayMb = await idleMb();
    await quarter();
    const lastHeapMb = await leastHeaps(platform.adminUrls, quarter);
    return {
      requests: responses,
      seconds,
      heapMb: { before: firstHeapMb, after: lastHeapMb },
      residentMb: { before: halfwayMb, after: await idleMb() },
    };
  } finally {
    await generator.close();
  }
}

function mixed(side: Side): Target {
  const [read, list, create] = [getPost(side), listPosts(100)(side), createDraft(side)];
  let at = 0;
  const pick = () => {
    const turn = at++ % 20;
    return turn === 0 ? list : turn <= 2 ? create : read;
  };
  return { origin: side.baseUrl, request: () => pick().request() };
}
