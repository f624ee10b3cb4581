import { setTimeout as pause } from 'node:timers/promises';
import type { ClockedEvent } from '@fanfare/contracts/clock';
import { systemCall } from '@fanfare/rpc';
import type { Logger } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { clockSteps } from '../metrics.ts';
import type { Due } from './next-time.ts';

type Services = Pick<Context, 'content' | 'publisher' | 'webhooks' | 'analytics' | 'generation' | 'library'>;

/** The services with work that waits for the time of an organization. */
const WITH_WORK = ['content', 'publisher', 'webhooks', 'analytics'] as const;
const ALL = [...WITH_WORK, 'generation', 'library'] as const;

const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 100;
/** After a service did not respond. */
const FAILED_PAUSE_MS = 1_000;
/** Work that is not done in this time, for example because a platform hangs, is not waited for any longer. */
const LIMIT_MS = 60_000;

/** The clock whose services are asked. */
interface Clock {
  readonly organizationId: string;
  /** Aborted when this process may no longer move the clock. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Tells all services how far the clock is ahead. They make due what waits for that time. */
export async function tellServices(services: Services, clock: Clock, aheadMs: number): Promise<void> {
  const call = callOf(clock);
  await Promise.all(ALL.map((name) => untilDone(clock, name, () => services[name].advanceTestClock({ aheadMs }, { call }))));
}

/**
 * Waits until nothing of the organization is due or in progress: no service has open work, and all of them have handled the events of all others. Only then
 * may its clock be moved on.
 * @param known what earlier looks have found
 * @returns when something is due next
 * @throws the reason of `clock.signal`
 */
export async function settle(services: Services, clock: Clock, known: KnownEvents): Promise<Due> {
  const call = callOf(clock);
  const begunAt = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
    const { settled = [], asked = [] } = Object.groupBy(known.values(), ({ isSettled }) => (isSettled ? 'settled' : 'asked'));
    const found = await Promise.all(
      WITH_WORK.map(async (name) => {
        const settledEventIds = settled.filter(({ by }) => by === name).map(({ event }) => event.id);
        const request = { events: asked.map(({ event }) => event), settledEventIds };
        return { name, ...(await untilDone(clock, name, () => services[name].getTestClockWork(request, { call }))) };
      }),
    );
    for (const { event } of settled) known.delete(event.id);
    const unhandled = new Set(found.flatMap(({ unhandledEventIds }) => unhandledEventIds));
    for (const one of asked) if (!unhandled.has(one.event.id)) known.set(one.event.id, { ...one, isSettled: true });
    const emitted = found.flatMap(({ name, emitted: events }) => events.map((event) => ({ event, by: name, isSettled: false })));
    const fresh = emitted.filter(({ event }) => !known.has(event.id));
    for (const one of fresh) known.set(one.event.id, one);
    const openWork = found.flatMap((one) => one.openWork);
    const isDone = openWork.length === 0 && fresh.length === 0 && unhandled.size === 0;
    const isTooLong = performance.now() - begunAt > LIMIT_MS;
    if (isDone || isTooLong) {
      if (!isDone)
        clock.log.warn({ open_work: openWork, unhandled_events: unhandled.size }, 'a test clock goes on although work is not done');
      clockSteps.inc({ outcome: isDone ? 'settled' : 'unsettled' });
      return { stopAt: earliest(found.map(({ nextStopAt }) => nextStopAt)), dueAt: earliest(found.map(({ nextDueAt }) => nextDueAt)) };
    }
    await pause(pauseMs, undefined, { signal: clock.signal });
  }
}

/** Events of the organization by their ids, from when they are found until their service was told that everybody has handled them. */
export type KnownEvents = Map<
  string,
  { readonly event: ClockedEvent; readonly by: (typeof WITH_WORK)[number]; readonly isSettled: boolean }
>;

const callOf = ({ organizationId }: Clock) => ({
  metadata: systemCall('gateway', { organizationId, flowId: `test-clock-${organizationId}` }),
});

/** A service that is unavailable is waited for: nothing may be missed. */
async function untilDone<T>({ signal, log }: Clock, service: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      log.warn({ err: error, service }, 'a test clock waits for a service');
      await pause(FAILED_PAUSE_MS, undefined, { signal });
    }
  }
}

const earliest = (times: readonly (Date | undefined)[]): Date | undefined =>
  times.filter((time) => time !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0];
