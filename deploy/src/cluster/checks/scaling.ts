import { setTimeout as wait } from 'node:timers/promises';
import { createApi, type Tenant } from '../api.ts';
import { checkPublishedOnce, PLATFORMS, type Accepted } from '../load.ts';
import type { Release } from '../release.ts';
import { slowDown } from '../sandbox.ts';

const POSTS = 1_200;
const AT_ONCE = 16;
/** Until they are due, all at the same moment. */
const DUE_MS = 150_000;
/** Each call to X takes so long: a burst that one publisher would take a minute and a half for. */
const SLOW_MS = 3_000;
const UP_LIMIT_MS = 600_000;
/** KEDA waits for five minutes before it takes pods away, and for one between two. */
const DOWN_LIMIT_MS = 1_200_000;
const LOOK_MS = 1_000;
const MOST = 3;

/**
 * Many posts are due at one moment: KEDA starts publishers, and takes them away when nothing waits.
 * @returns what was seen
 * @throws Error that names posts that are lost or doubled, or the replicas that there were
 */
export async function checkScaling({ kubectl }: Release, tenant: Tenant): Promise<string> {
  const replicas = () => Number(kubectl(['get', 'deployment', 'fanfare-publisher', '-o', 'jsonpath={.status.readyReplicas}']) || '0');
  const untilReplicas = async (wanted: number, limitMs: number) => {
    const started = performance.now();
    for (let seen = replicas(); seen !== wanted; seen = replicas()) {
      if (performance.now() - started > limitMs) throw new Error(`${seen} publishers instead of ${wanted}`);
      await wait(LOOK_MS);
    }
    return Math.round((performance.now() - started) / 1000);
  };
  await untilReplicas(1, DOWN_LIMIT_MS);
  const due = performance.timeOrigin + performance.now() + DUE_MS;
  const accepted = await schedule(tenant, new Date(due));
  const restoreSpeed = await slowDown('x.create_post', SLOW_MS);
  try {
    await wait(Math.max(0, due - performance.timeOrigin - performance.now()));
    const up = await untilReplicas(MOST, UP_LIMIT_MS);
    const published = await checkPublishedOnce(tenant, { accepted });
    const all = Math.round((performance.timeOrigin + performance.now() - due) / 1000);
    await untilReplicas(1, DOWN_LIMIT_MS);
    const down = Math.round((performance.timeOrigin + performance.now() - due) / 1000);
    return `KEDA scaled the publisher from 1 to ${MOST} in ${up} s when ${POSTS} posts were due at once, and back after ${down} s; each of ${published} publications is on its platform once, after ${all} s`;
  } finally {
    await restoreSpeed();
  }
}

async function schedule(tenant: Tenant, due: Date): Promise<Accepted[]> {
  const api = createApi(tenant);
  const accepted: Accepted[] = [];
  let next = 0;
  const one = async () => {
    while (next < POSTS) {
      const caption = `Due at once, ${next++} of ${due.toISOString()}`;
      const post = { caption, restrict_publish_to: PLATFORMS, status: 'SCHEDULED', scheduled_publish_time: due.toISOString() };
      const { id } = await api<{ id: string }>('POST', '/posts', post);
      accepted.push({ id, caption, acceptedAt: performance.timeOrigin + performance.now() });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return accepted;
}
