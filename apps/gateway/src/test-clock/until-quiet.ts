import { setTimeout as pause } from 'node:timers/promises';
import type { AdvanceTestClockRequest, ClockedEvent } from '@fanfare/contracts/clock';
import { systemCall } from '@fanfare/rpc';
import type { Logger } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { clockSteps } from '../metrics.ts';
import type { Due } from './next-step.ts';

type Services = Pick<Context, 'content' | 'publisher' | 'webhooks' | 'analytics' | 'generation' | 'library'>;

/** The services for whose work a clock stops. */
const PUBLISHING = ['content', 'publisher'] as const;
/** Those with work that waits for the time of an organization. */
const WITH_WORK = [...PUBLISHING, 'webhooks', 'analytics'] as const;
const ALL = [...WITH_WORK, 'generation', 'library'] as const;

const FIRST_DELAY_MS = 25;
const LONGEST_DELAY_MS = 50;
/** After a service did not respond. */
const FAILED_DELAY_MS = 1_000;
/** Work that is not done in this time, for example because a platform hangs, is not waited for any longer. */
const LIMIT_MS = 60_000;

/** The clock whose services get the requests. */
interface Clock {
  readonly organizationId: string;
  /** Aborted when this process may no longer move the clock. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Sends to services how far the clock is ahead: to those with the work, or to all. They make due what waits for that time. The others know it from every call and event,
 * too.
 */
export async function advanceServices(services: Services, clock: Clock, request: AdvanceTestClockRequest): Promise<void> {
  const call = callOf(clock);
  const moved = request.allWork ? ALL : PUBLISHING;
  await Promise.all(moved.map((name) => untilDone(clock, name, () => services[name].advanceTestClock(request, { call }))));
}

/**
 * Waits until nothing of the organization is due or in progress: no service has open work, and all of them have handled the events of all others. Only then
 * may its clock be moved on.
 * @param known what earlier looks have found
 * @returns when something is due next
 * @throws the reason of `clock.signal`
 */
export async function untilQuiet(services: Services, clock: Clock, known: KnownEvents): Promise<Due> {
  const begunAt = performance.now();
  // While posts are being published, content alone knows: it waits for their results.
  let busy: readonly Worker[] = ['content'];
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(LONGEST_DELAY_MS, delayMs * 1.3)) {
    const first = await look(services, clock, known, busy);
    const found = first.openWork.length === 0 ? await look(services, clock, known, WITH_WORK) : first;
    busy = found.busy;
    const isQuiet = found.openWork.length === 0 && found.unhandled === 0;
    if (isQuiet && !found.isAnyNew) {
      clockSteps.inc({ outcome: 'settled' });
      return found.due;
    }
    if (performance.now() - begunAt > LIMIT_MS) {
      clock.log.warn({ open_work: found.openWork, unhandled_events: found.unhandled }, 'a test clock continues although work is not done');
      clockSteps.inc({ outcome: 'unsettled' });
      return (await look(services, clock, known, WITH_WORK, { despiteOpenWork: true })).due;
    }
    // Events that were just found may be handled already.
    await pause(isQuiet ? 0 : delayMs, undefined, { signal: clock.signal });
  }
}

type Worker = (typeof WITH_WORK)[number];

/** Sends a request to some services once. Notes which events are new, and which known ones all services have handled. */
async function look(services: Services, clock: Clock, known: KnownEvents, names: readonly Worker[], { despiteOpenWork = false } = {}) {
  const { settled = [], open = [] } = Object.groupBy(known.values(), ({ isSettled }) => (isSettled ? 'settled' : 'open'));
  const call = callOf(clock);
  const states = await Promise.all(
    names.map(async (name) => {
      const settledEventIds = settled.filter(({ by }) => by === name).map(({ event }) => event.id);
      const request = { events: open.map(({ event }) => event), settledEventIds, despiteOpenWork };
      return { name, ...(await untilDone(clock, name, () => services[name].getTestClockWork(request, { call }))) };
    }),
  );
  for (const { by, event } of settled) if (names.includes(by)) known.delete(event.id);
  const openWork = states.flatMap((one) => one.openWork);
  const unhandled = new Set(states.flatMap(({ unhandledEventIds }) => unhandledEventIds));
  // A service with open work does not say which events it has handled.
  if (names.length === WITH_WORK.length && openWork.length === 0)
    for (const one of open) if (!unhandled.has(one.event.id)) known.set(one.event.id, { ...one, isSettled: true });
  const emitted = states.flatMap(({ name, emitted: events }) => events.map((event) => ({ event, by: name, isSettled: false })));
  const fresh = emitted.filter(({ event }) => !known.has(event.id));
  for (const one of fresh) known.set(one.event.id, one);
  return {
    openWork,
    busy: states.filter((one) => one.openWork.length > 0).map(({ name }) => name),
    unhandled: unhandled.size,
    isAnyNew: fresh.length > 0,
    due: { stopAt: earliest(states.map(({ nextStopAt }) => nextStopAt)), dueAt: earliest(states.map(({ nextDueAt }) => nextDueAt)) },
  };
}

/** Events of the organization by their ids, from when they are found until their service knows that all services have handled them. */
export type KnownEvents = Map<string, { readonly event: ClockedEvent; readonly by: Worker; readonly isSettled: boolean }>;

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
      await pause(FAILED_DELAY_MS, undefined, { signal });
    }
  }
}

const earliest = (times: readonly (Date | undefined)[]): Date | undefined =>
  times.filter((time) => time !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0];
