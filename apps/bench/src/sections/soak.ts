import { createLoadGenerator, type Target } from '../load/run-load.ts';
import { createDraft, getPost, listPosts, type Side } from '../operations.ts';
import { outboxEmpty } from '../outbox-empty.ts';
import type { BenchPlatform } from '../platform.ts';
import { idleMemory } from './memory.ts';

export interface Soak {
  /** Without the warm-up. */
  readonly requests: number;
  readonly seconds: number;
  /** By process, in MB, after a tenth of the requests and after all of them, each time after a while without work. */
  readonly beforeMb: Readonly<Record<string, number>>;
  readonly afterMb: Readonly<Record<string, number>>;
}

const CONCURRENCY = 16;
const LIMIT_SECONDS = 300;

/** Of twenty requests one lists 100 posts, two create, the others read. Memory is compared with that of a process that is warm already. */
export async function soak(platform: BenchPlatform, side: Side, requests: number, say: (line: string) => void): Promise<Soak> {
  const generator = createLoadGenerator(mixed(side), CONCURRENCY);
  const settled = async () => {
    await outboxEmpty(platform.contentAdminUrl);
    return idleMemory(platform.processes);
  };
  try {
    say(`${requests} requests, after a tenth as many that are not counted`);
    await generator.run({ requests: requests / 10, seconds: LIMIT_SECONDS });
    const beforeMb = await settled();
    const { answered, seconds } = await generator.run({ requests, seconds: LIMIT_SECONDS });
    return { requests: answered, seconds, beforeMb, afterMb: await settled() };
  } finally {
    await generator.close();
  }
}

function mixed(side: Side): Target {
  const [read, list, create] = [getPost(side), listPosts(side), createDraft(side)];
  let at = 0;
  const pick = () => {
    const turn = at++ % 20;
    return turn === 0 ? list : turn <= 2 ? create : read;
  };
  return { origin: side.baseUrl, request: () => pick().request() };
}
