/**
 * The time for callers and rules: the database's. Machines disagree about the time, and all processes of a platform have to agree. It is measured by
 * the code that talks to the database (`syncClock`) and continues by the monotonic clock, so setting this machine's clock changes nothing. Before the
 * first measurement, and in a process without a database, it is this machine's time.
 *
 * What is due, leased or expired is still decided in the database itself (`$$NOW`): this clock may be behind it by the latency of a response.
 */
export function currentTime(): Date {
  return new Date(currentMs());
}

/** The same, in milliseconds since 1970. */
export function currentMs(): number {
  return offset === undefined ? Date.now() : Math.floor(performance.now() + offset);
}

/**
 * The time of an organization: what its rules, schedules and resources go by. It is `currentTime`, moved forward by the organization's test clock if it has
 * one. Leases, limits, sessions and everything that concerns another system, such as a commit and its settle time, use `currentTime`.
 */
export function now(organizationId: string): Date {
  return new Date(currentMs() + aheadMs(organizationId));
}

/** Organization → how far its test clock is ahead, in milliseconds. Only those whose clock was moved. */
const clocks = new Map<string, number>();

/** How far the test clock of an organization is ahead of `currentTime`, as far as this process knows; 0 without one. */
export const aheadMs = (organizationId: string): number => clocks.get(organizationId) ?? 0;

/** The organizations whose test clocks were moved, as far as this process knows. */
export const movedClocks = (): readonly string[] => [...clocks.keys()];

/**
 * A test clock is at least this far ahead: calls, events, leased rows and the database of a service say so. Clocks only move forward, so the largest of all
 * is right, whichever comes first.
 */
export function learnClock(organizationId: string, ms: number): void {
  if (organizationId !== '' && ms > aheadMs(organizationId)) clocks.set(organizationId, ms);
}

/** The earliest real time that can have been this time of an organization: the exact one if its clock has not moved since. */
export const realTime = (organizationId: string, time: Date): Date => new Date(time.getTime() - aheadMs(organizationId));

/** Responses that were delayed by the network or this process make the clock seem slow: of the newest responses, the fastest one counts. */
const SAMPLES = 3;
/**
 * A response that took longer is not counted. A process that was stopped for a while reads its responses late, all of them at once: they would make the clock
 * as slow as the pause was long.
 */
const MAX_TOOK_MS = 1_000;
const samples: number[] = [];
/** From the monotonic clock to the database's. */
let offset: number | undefined;

/**
 * @param databaseTime the time of the database's clock in a response that has just arrived
 * @param sentAt when its request was sent, by `performance.now()`
 */
export function syncClock(databaseTime: Date, sentAt: number): void {
  const at = performance.now();
  // The first measurement is better than this machine's clock.
  if (at - sentAt > MAX_TOOK_MS && offset !== undefined) return;
  samples.push(databaseTime.getTime() - at);
  if (samples.length > SAMPLES) samples.shift();
  offset = Math.max(...samples);
}

/** How far this machine's clock is ahead of the database's, in milliseconds; negative if it is behind. */
export const clockSkewMs = (): number => Date.now() - currentMs();

/** More than that is a wrong clock, and not the latency of a response. */
const TOLERATED_SKEW_MS = 5_000;

/** A warning for operators about this machine's clock; undefined while it agrees with the database's. */
export function clockWarning(): string | undefined {
  const skewMs = clockSkewMs();
  if (Math.abs(skewMs) <= TOLERATED_SKEW_MS) return undefined;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return `This machine's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's. Fanfare uses the time of the database. Set up time synchronization on this machine.`;
}
