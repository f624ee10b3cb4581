import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchPlatform } from '../../platform.ts';
import { samplesOf } from '../../samples-of.ts';
import { publish, whenPublished, type Publisher } from './publish.ts';

/** One call to the platform, and two. */
export const PLATFORMS = ['x', 'facebook'];
const LANES = 16;
const LIMIT_MS = 5 * 60_000;
const POLL_MS = 250;

/** The last post of each publisher: the others were published before it. */
type LastPosts = ReadonlyMap<Publisher, string>;

/** Publishes text posts, each to one platform, behind a pause. They are all rows of the publisher when this returns; `release` ends the pause. */
export async function collectDeliveries(
  platform: BenchPlatform,
  publishers: readonly Publisher[],
  count: number,
): Promise<{ release(): Promise<void>; readonly posts: LastPosts }> {
  const { operator } = platform;
  const { pause } = await operator.publisher.putPause({ reason: 'The bench collects posts.' }, operator.as());
  const posts = new Map<Publisher, string>();
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      const publisher = publishers[left % publishers.length] as Publisher;
      const to = PLATFORMS[Math.floor(left / publishers.length) % PLATFORMS.length] as string;
      const id = await publish(publisher, { caption: `Bench ${randomUUID()}`, restrict_publish_to: [to] });
      posts.set(publisher, id);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await untilOpen(platform, (open) => open === count);
  return { release: async () => void (await operator.publisher.deletePause({ id: pause?.id ?? '' }, operator.as())), posts };
}

/** Waits until the number of deliveries that have not ended is right. */
export async function untilOpen(platform: BenchPlatform, isIt: (open: number) => boolean): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const [open = NaN] = await samplesOf(platform.adminUrls['publisher'] ?? '', 'fanfare_deliveries_open');
    if (isIt(open)) return;
    if (performance.now() > end)
      throw new Error(`${open} deliveries are open after ${LIMIT_MS / 1000} s; see .fanfare/bench/logs/publisher.log.`);
    await wait(POLL_MS);
  }
}

export const untilPublished = async (posts: LastPosts): Promise<void> =>
  void (await Promise.all([...posts].map(([publisher, id]) => whenPublished(publisher, id, LIMIT_MS))));
