import { startLoop, type Loop } from './loop.ts';
import type { Logger } from './logger.ts';

/**
 * Starts background work out of a table of leased rows, several at a time, each until it ends or has to wait. What ends wakes the loop. Stopping
 * tells all that is under way, and waits for it.
 * @param options.size how many rows at a time
 * @param options.idleMs how often to look when nothing wakes it
 * @param options.lease takes a row that is due, or several for which there is room, given those in flight; or answers with how many milliseconds to
 *   wait for one
 * @param options.work must not fail; `stop` is aborted when the process stops
 * @param options.onInFlight hears how many there are, whenever that changes
 */
export function startLeasedLoop<T extends object>(options: {
  name: string;
  log: Logger;
  size: number;
  idleMs: number;
  lease: (inFlight: readonly T[], room: number) => Promise<T | readonly T[] | number>;
  work: (leased: T, stop: AbortSignal) => Promise<void>;
  onInFlight?: (count: number) => void;
}): Loop {
  const { name, log, size, idleMs, lease, work, onInFlight = () => undefined } = options;
  const inFlight = new Map<Promise<void>, T>();
  const stopping = new AbortController();

  const loop = startLoop({
    name,
    log,
    async run() {
      while (!stopping.signal.aborted && inFlight.size < size) {
        const leased = await lease([...inFlight.values()], size - inFlight.size);
        if (typeof leased === 'number') return leased;
        for (const row of isSeveral(leased) ? leased : [leased]) begin(row);
        onInFlight(inFlight.size);
      }
      return idleMs;
    },
  });

  function begin(row: T): void {
    const working = work(row, stopping.signal).finally(() => {
      inFlight.delete(working);
      onInFlight(inFlight.size);
      loop.wake();
    });
    inFlight.set(working, row);
  }

  return {
    ...loop,
    async stop() {
      stopping.abort(new Error('The process stops.'));
      await loop.stop();
      await Promise.all(inFlight.keys());
    },
  };
}

const isSeveral = <T extends object>(leased: T | readonly T[]): leased is readonly T[] => Array.isArray(leased);
