/**
 * The time that callers are told and that rules decide by: the database's. Machines disagree about the time, and all processes of a platform have to
 * agree. It is measured by whoever talks to the database (`syncClock`) and goes on by the monotonic clock, so setting this machine's clock changes
 * nothing. Before the first measurement, and in a process without a database, it is this machine's time.
 *
 * What is due, leased or over is still decided in the database itself (`$$NOW`): this clock may be behind it by the time that a response travels.
 */
export function currentTime(): Date {
  return new Date(currentMs());
}

/** The same, in milliseconds since 1970. */
export function currentMs(): number {
  return offset === undefined ? Date.now() : Math.floor(performance.now() + offset);
}

/**
 * What time it is for an organization. Rules about posts ask here, so that a test clock can shift one organization's time without touching another's.
 */
export function now(_organizationId: string): Date {
  return currentTime();
}

/** Answers that came late, because the network or this process was busy, make the clock seem slow: the newest of these that came fastest counts. */
const SAMPLES = 3;
const samples: number[] = [];
/** Of the monotonic clock to the database's. */
let offset: number | undefined;

/** @param databaseTime what the database's clock said in a response that came just now */
export function syncClock(databaseTime: Date): void {
  samples.push(databaseTime.getTime() - performance.now());
  if (samples.length > SAMPLES) samples.shift();
  offset = Math.max(...samples);
}

/** How far this machine's clock is ahead of the database's, in milliseconds; negative when it is behind. */
export const clockSkewMs = (): number => Date.now() - currentMs();

/** More than that is a mistake of a machine's settings, and not the time that a response travels. */
const TOLERATED_SKEW_MS = 5_000;

/** What operators should know of this machine's clock; undefined while it agrees with the database's. */
export function clockWarning(): string | undefined {
  const skewMs = clockSkewMs();
  if (Math.abs(skewMs) <= TOLERATED_SKEW_MS) return undefined;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return `This machine's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's. Fanfare uses the time of the database. Set up time synchronization on this machine.`;
}
