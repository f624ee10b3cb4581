import { startLoop, type Logger } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { lastSequences } from './store/sequences.ts';

/** Notifies callers who wait for events that there are some. */
export interface Arrivals {
  /**
   * Waits until an organization has an event after a sequence.
   * @returns whether it has one; false after `timeoutMs`, and if the process stops
   */
  until(organizationId: string, after: number, timeoutMs: number): Promise<boolean>;
  /** Looks for events now: this process has stored some. */
  wake(): void;
  /** Ends all waits. */
  end(): void;
  stop(): Promise<void>;
}

interface Waiting {
  readonly organizationId: string;
  readonly after: number;
  finish(hasArrived: boolean): void;
}

const IDLE_MS = 60_000;

/** @param pollMs how often the events of other processes are looked for, with one query for all who wait */
export function createArrivals(db: Db, pollMs: number, log: Logger): Arrivals {
  const waiting = new Set<Waiting>();
  let isEnded = false;
  const loop = startLoop({
    name: 'arrivals',
    log,
    stalledAfterMs: 2 * IDLE_MS,
    async run() {
      if (waiting.size === 0) return IDLE_MS;
      const last = await lastSequences(db, [...new Set([...waiting].map(({ organizationId }) => organizationId))]);
      for (const one of waiting) if ((last.get(one.organizationId) ?? 0) > one.after) one.finish(true);
      return pollMs;
    },
  });

  return {
    wake() {
      if (waiting.size > 0) loop.wake();
    },
    until(organizationId, after, timeoutMs) {
      if (isEnded || timeoutMs <= 0) return Promise.resolve(false);
      return new Promise((resolve) => {
        const timer = setTimeout(() => one.finish(false), timeoutMs);
        const one: Waiting = {
          organizationId,
          after,
          finish(hasArrived) {
            clearTimeout(timer);
            waiting.delete(one);
            resolve(hasArrived);
          },
        };
        waiting.add(one);
        loop.wake();
      });
    },
    end() {
      isEnded = true;
      for (const one of waiting) one.finish(false);
    },
    stop: () => loop.stop(),
  };
}
