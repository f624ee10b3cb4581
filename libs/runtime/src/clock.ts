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

/** The time for an organization. Rules about posts use it, so that a test clock can shift one organization's time without affecting another's. */
export function now(_organizationId: string): Date {
  return currentTime();
}

/** Responses that were delayed by the network or this process make the clock seem slow: of the newest responses, the fastest one counts. */
const SAMPLES = 3;
const samples: number[] = [];
/** From the monotonic clock to the database's. */
let offset: number | undefined;

/** @param databaseTime the time of the database's clock in a response that has just arrived */
export function syncClock(databaseTime: Date): void {
  samples.push(databaseTime.getTime() - performance.now());
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
