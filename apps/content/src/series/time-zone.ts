/** Offsets such as +01:00 are understood by `Intl`, but are no zones: they know no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Clocks are set back and forward by an hour nearly everywhere; by a day where a country changed sides of the date line. */
const LONGEST_CHANGE_MS = 24 * 3600_000;

/** No clock in a time zone shows less than this from a moment on, as if it were UTC. */
export function earliestShown(from: Date, timezone: string): Date {
  const at = from.getTime();
  const [before, after] = aroundIt(at, timezone);
  return new Date(at + offsetMs(at, timezone) - (before === after ? 0 : LONGEST_CHANGE_MS));
}

/**
 * When clocks in a time zone show something: the first time, where they show it twice; the moment of the change, where they leave it out.
 * @param shown what they show, as if it were UTC
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

/** What clocks are ahead by before and after any change that is near. */
const aroundIt = (at: number, timezone: string): readonly [number, number] => [
  offsetMs(at - LONGEST_CHANGE_MS, timezone),
  offsetMs(at + LONGEST_CHANGE_MS, timezone),
];

/** By how much clocks in a time zone are ahead of UTC. */
function offsetMs(at: number, timezone: string): number {
  const name = offsetFormat(timezone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(name ?? '') ?? [];
  const ms = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

/** To make one takes far longer than to use it. There are some 600 zones, but callers may spell each in many ways. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 1000;

function offsetFormat(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}
