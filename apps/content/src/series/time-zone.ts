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
  const [before, after] = aroundIt(shown.getTime(), timezone);
  for (const offset of [before, after]) {
    const at = shown.getTime() - offset;
    if (before === after || offsetMs(at, timezone) === offset) return new Date(at);
  }
  let [early, late] = [shown.getTime() - after, shown.getTime() - before];
  while (late - early > 1000) {
    const middle = Math.floor((early + late) / 2000) * 1000;
    if (offsetMs(middle, timezone) === before) early = middle;
    else late = middle;
  }
  return new Date(late);
}

/** The offsets before and after a clock change that is near. */
const aroundIt = (at: number, timezone: string): readonly [number, number] => [
  offsetMs(at - LONGEST_CHANGE_MS, timezone),
  offsetMs(at + LONGEST_CHANGE_MS, timezone),
];

/** The offset of a time zone from UTC. */
function offsetMs(at: number, timezone: string): number {
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
