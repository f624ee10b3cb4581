/** Offsets such as +01:00 are accepted by `Intl`, but are not time zones: they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Most clock changes are by one hour; a country that crosses the date line changes by a day. */
const LONGEST_CHANGE_MS = 24 * 3600_000;

/** A lower bound, as if it were UTC, of the local time in a time zone from a moment on. */
export function earliestShown(from: Date, timezone: string): Date {
  const at = from.getTime();
  const [before, after] = aroundIt(at, timezone);
  return new Date(at + offsetMs(at, timezone) - (before === after ? 0 : LONGEST_CHANGE_MS));
}

/**
 * When clocks in a time zone show a local time: the first time if it occurs twice, the moment of the change if it is skipped.
 * @param shown the local time, as if it were UTC
 */
export function whenShown(shown: Date, timezone: string): Date {
  const found = firstShown(shown, timezone);
  if (found) return found;
  const [before, after] = aroundIt(shown.getTime(), timezone);
  return changeBetween(shown.getTime() - after, shown.getTime() - before, timezone);
}

/** Like `whenShown`, but a local time that is skipped is at the same distance after the change: 02:30 is 03:30 if clocks go from 02:00 to 03:00. */
export function whenShownOrLater(shown: Date, timezone: string): Date {
  const [before] = aroundIt(shown.getTime(), timezone);
  return firstShown(shown, timezone) ?? new Date(shown.getTime() - before);
}

/** Undefined if it is skipped. */
function firstShown(shown: Date, timezone: string): Date | undefined {
  const [before, after] = aroundIt(shown.getTime(), timezone);
  for (const offset of [before, after]) {
    const at = shown.getTime() - offset;
    if (before === after || offsetMs(at, timezone) === offset) return new Date(at);
  }
  return undefined;
}

/** The moment at which the offset becomes another than at the first of two moments. */
function changeBetween(first: number, last: number, timezone: string): Date {
  const before = offsetMs(first, timezone);
  let [early, late] = [first, last];
  while (late - early > 1000) {
    const middle = Math.floor((early + late) / 2000) * 1000;
    if (offsetMs(middle, timezone) === before) early = middle;
    else late = middle;
  }
  return new Date(late);
}

/** A moment at which clocks are put forward, and by how much: local times that do not exist. */
export interface SkippedTime {
  readonly at: Date;
  readonly ms: number;
}

const skipped = new Map<string, readonly SkippedTime[]>();
const MOST_SKIPPED = 10_000;
/** Shorter than any time between two clock changes. */
const PROBE_MS = 14 * 24 * 3600_000;

/** The local times that are skipped in a year. */
export function skippedTimes(timezone: string, year: number): readonly SkippedTime[] {
  const key = `${timezone} ${year}`;
  const known = skipped.get(key);
  if (known) return known;
  const found: SkippedTime[] = [];
  const end = Date.UTC(year + 1, 0);
  for (let from = Date.UTC(year, 0), to = from; from < end; from = to) {
    to = Math.min(from + PROBE_MS, end);
    const ms = offsetMs(to, timezone) - offsetMs(from, timezone);
    if (ms > 0) found.push({ at: changeBetween(from, to, timezone), ms });
  }
  if (skipped.size >= MOST_SKIPPED) skipped.clear();
  skipped.set(key, found);
  return found;
}

/** The offsets before and after a clock change that is near. */
const aroundIt = (at: number, timezone: string): readonly [number, number] => [
  offsetMs(at - LONGEST_CHANGE_MS, timezone),
  offsetMs(at + LONGEST_CHANGE_MS, timezone),
];

/** The offset of a time zone from UTC. */
export function offsetMs(at: number, timezone: string): number {
  const name = offsetFormat(timezone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(name ?? '') ?? [];
  const ms = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

/** Cached, because creating one takes much longer than using it. There are some 600 zones, but callers may write each in many ways. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 1000;

function offsetFormat(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}
