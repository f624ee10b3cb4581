import { RendererBusy } from './renderer.ts';

interface Waiting {
  readonly start: () => void;
  readonly isAborted: () => boolean;
}

/** The longest rest: others who wait must not pay for a long task, such as a video of a minute. */
const MAX_REST_MS = 500;

export type Turns = ReturnType<typeof createTurns>;

/**
 * Runs a limited number of tasks at once. Owners take turns: however many tasks one owner has, each task of another one waits for at most one of them.
 * @param limits.waiting maximum number of waiting tasks; one owner can have half of them
 * @param limits.rest how long no other task takes the place of one that has ended, as a multiple of its duration, half a second at most: leaves the processor to others
 */
export function createTurns({ atOnce, waiting, rest = 0 }: { readonly atOnce: number; readonly waiting: number; readonly rest?: number }) {
  /** Waiting tasks by owner, beginning with the owner whose turn it is. */
  const queues = new Map<string, Waiting[]>();
  const perOwner = Math.ceil(waiting / 2);
  let running = 0;

  function startNext(): void {
    while (running < atOnce) {
      const [turn] = queues;
      if (!turn) return;
      const [owner, queue] = turn;
      const next = queue.shift();
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      if (next && !next.isAborted()) next.start();
    }
  }

  function leave(): void {
    running--;
    startNext();
  }

  /** @throws RendererBusy if too many tasks are waiting; the reason of the signal if it aborts before the task has started */
  async function run<T>(owner: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (running >= atOnce) {
      const queue = queues.get(owner) ?? [];
      const all = [...queues.values()].reduce((sum, { length }) => sum + length, 0);
      if (all >= waiting || queue.length >= perOwner) throw new RendererBusy('Too many pages are waiting to be rendered.');
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', abort, { once: true });
      queue.push({
        start() {
          running++;
          resolve();
        },
        isAborted: () => signal?.aborted ?? false,
      });
      queues.set(owner, queue);
      try {
        await promise;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    } else running++;
    const begun = performance.now();
    try {
      return await task();
    } finally {
      if (rest > 0) setTimeout(leave, Math.min((performance.now() - begun) * rest, MAX_REST_MS)).unref();
      else leave();
    }
  }
  return { run };
}
