// When four time zones change their clocks, by the rules of their laws. What the platform publishes is compared with these, so they share no code with it, nor
// the database of time zones that it uses.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From this moment on, the zone is so many minutes ahead of UTC. */
interface Change {
  readonly at: number;
  readonly offset: number;
}

export interface Zone {
  readonly name: string;
  /** Ahead of UTC, in minutes, before all changes. */
  readonly standard: number;
  /** Its changes in a year. */
  changes(year: number): readonly Change[];
  /** Moments at which clocks stay, although they were changed there until the rules were. */
  formerChanges?(year: number): readonly number[];
}

/** The n-th Sunday of a month, from 1; or the last one, -1. As if it were UTC. */
function sunday(year: number, month: number, nth: number): number {
  const first = Date.UTC(year, month - 1, 1);
  if (nth > 0) return first + ((7 - new Date(first).getUTCDay()) % 7) * DAY_MS + (nth - 1) * 7 * DAY_MS;
  const last = Date.UTC(year, month, 0);
  return last - new Date(last).getUTCDay() * DAY_MS;
}

export const ZONES: readonly Zone[] = [
  {
    name: 'Europe/Berlin',
    standard: 60,
    changes: (year) => [
      { at: sunday(year, 3, -1) + HOUR_MS, offset: 120 },
      { at: sunday(year, 10, -1) + HOUR_MS, offset: 60 },
    ],
  },
  {
    name: 'America/New_York',
    standard: -300,
    changes: (year) => [
      { at: sunday(year, 3, 2) + 7 * HOUR_MS, offset: -240 },
      { at: sunday(year, 11, 1) + 6 * HOUR_MS, offset: -300 },
    ],
  },
  {
    // Clocks go forward by half an hour, at two in the morning.
    name: 'Australia/Lord_Howe',
    standard: 660,
    changes: (year) => [
      { at: sunday(year, 4, 1) + 2 * HOUR_MS - 660 * MINUTE_MS, offset: 630 },
      { at: sunday(year, 10, 1) + 2 * HOUR_MS - 630 * MINUTE_MS, offset: 660 },
    ],
  },
  {
    // Clocks were changed until 2024, and have stayed at daylight saving time since.
    name: 'America/Asuncion',
    standard: -180,
    changes: () => [],
    formerChanges: (year) => [sunday(year, 3, 4) + 3 * HOUR_MS, sunday(year, 10, 1) + 4 * HOUR_MS],
  },
];

export function offsetMs(zone: Zone, at: number): number {
  const year = new Date(at).getUTCFullYear();
  const past = [year - 1, year].flatMap((one) => zone.changes(one)).filter((change) => change.at <= at);
  return (past.at(-1)?.offset ?? zone.standard) * MINUTE_MS;
}

/** A slot of a queue: a time that is skipped is at the same distance after the change, one that occurs twice is the first. */
function ofSlot(zone: Zone, local: number): number {
  const [before, after] = [offsetMs(zone, local - DAY_MS), offsetMs(zone, local + DAY_MS)];
  const shown = [before, after].map((offset) => local - offset).filter((at) => at + offsetMs(zone, at) === local);
  return shown.length > 0 ? Math.min(...shown) : local - before;
}

/** A time of a series: a time that is skipped is the moment of the change, one that occurs twice is the first. */
function ofSeries(zone: Zone, local: number): number {
  const at = ofSlot(zone, local);
  if (at + offsetMs(zone, at) === local) return at;
  const year = new Date(at).getUTCFullYear();
  const change = zone.changes(year).find((one) => Math.abs(one.at - at) < 2 * HOUR_MS);
  if (!change) throw new Error('The time is skipped, but no clock is changed.');
  return change.at;
}

/** A time of each week in a zone. */
export interface Weekly {
  readonly zone: Zone;
  /** From 0, a Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

/** The times after a moment, up to another one, in order. */
export function weeklyTimes({ zone, weekday, hour, minute }: Weekly, kind: 'slot' | 'series', after: number, upTo: number): number[] {
  const firstDay = Math.floor(after / DAY_MS) - 1;
  const days = Array.from({ length: Math.ceil((upTo - after) / DAY_MS) + 3 }, (_, index) => (firstDay + index) * DAY_MS);
  return days
    .filter((day) => new Date(day).getUTCDay() === weekday)
    .map((day) => day + hour * HOUR_MS + minute * MINUTE_MS)
    .map((local) => (kind === 'slot' ? ofSlot(zone, local) : ofSeries(zone, local)))
    .filter((at) => at > after && at <= upTo);
}
