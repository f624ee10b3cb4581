// The thread of `startLoad`.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createApi, Rejected } from './api.ts';
import { PLATFORMS, type Accepted, type LoadReport, type LoadSettings } from './load.ts';

const { tenant, name, perSecond } = workerData as LoadSettings;
const api = createApi(tenant);
/** Longer than any service is unavailable. */
const GIVE_UP_MS = 600_000;
const PAUSE_MS = 500;
const SOON_MS = 5_000;

const accepted: Accepted[] = [];
const repeated: Record<string, number> = {};
const rejected: string[] = [];
let stopped = false;
let isHopeless = false;
parentPort?.on('message', (message: 'stop' | 'give up') => {
  stopped = true;
  isHopeless = message === 'give up';
});

const running = new Set<Promise<void>>();
for (let index = 0; !stopped; index++) {
  const one = publish(`${name} ${index}, ${randomUUID()}`, index % 3 === 0).finally(() => running.delete(one));
  running.add(one);
  await wait(1000 / perSecond);
}
await Promise.all(running);
parentPort?.postMessage({ accepted, rejected, repeated } satisfies LoadReport);
parentPort?.close();

/** Of three posts, one is scheduled and two are published at once. */
async function publish(caption: string, isScheduled: boolean): Promise<void> {
  const post = { caption, restrict_publish_to: PLATFORMS };
  try {
    const soon = new Date(performance.timeOrigin + performance.now() + SOON_MS).toISOString();
    const { id } = await repeatedly('/posts', isScheduled ? { ...post, status: 'SCHEDULED', scheduled_publish_time: soon } : post);
    if (!isScheduled) await repeatedly(`/posts/${id}/publish`);
    accepted.push({ id, caption, acceptedAt: performance.timeOrigin + performance.now() });
  } catch (error) {
    rejected.push(caption);
    count(`given up: ${(error as Error).message}`);
  }
}

/** As a caller would, with the same key for all tries: until it is carried out, or rejected for good. */
async function repeatedly(where: string, body?: object): Promise<{ id: string }> {
  const key = randomUUID();
  const end = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await api<{ id: string }>('POST', where, body, key);
    } catch (error) {
      const isFinal = error instanceof Rejected && error.status < 500 && error.status !== 429;
      if (isFinal || isHopeless || performance.now() > end) throw error;
      count(error instanceof Rejected ? `${error.status} ${error.code}` : (error as Error).message);
      await wait(PAUSE_MS);
    }
  }
}

function count(what: string): void {
  repeated[what] = (repeated[what] ?? 0) + 1;
}
