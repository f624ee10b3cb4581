import { setInterval } from 'node:timers/promises';
import { samplesOf } from '../samples-of.ts';

const EVERY_MS = 500;

/**
 * The smallest heap in use of each process while some work is done, in MB, by the processes' metrics. It shows what their collectors keep (and a
 * little that came since), while a resident set also contains what waits to be collected.
 * @param adminUrls by process
 */
export async function leastHeaps(adminUrls: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<Record<string, number>> {
  const leastMb: Record<string, number> = {};
  const done = new AbortController();
  const look = async () => {
    for await (const _ of setInterval(EVERY_MS, undefined, { signal: done.signal })) {
      for (const [name, url] of Object.entries(adminUrls)) {
        const mb = await heapMb(url);
        if (mb !== undefined) leastMb[name] = Math.min(leastMb[name] ?? Infinity, mb);
      }
    }
  };
  const looking = look().catch((error: unknown) => {
    if (!done.signal.aborted) throw error;
  });
  await Promise.all([looking, work().finally(() => done.abort())]);
  return leastMb;
}

/** Undefined for processes without metrics, such as the sandbox. */
async function heapMb(adminUrl: string): Promise<number | undefined> {
  const [bytes] = await samplesOf(adminUrl, 'nodejs_heap_size_used_bytes');
  return bytes === undefined ? undefined : Math.round(bytes / 1e5) / 10;
}
