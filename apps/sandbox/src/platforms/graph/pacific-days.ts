const TIME_ZONE = 'America/Los_Angeles';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const dates = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE, year: 'numeric', month: '2-digit', day: '2-digit' });

/** The day of a time at Meta, whose insights count days of Los Angeles. */
export const pacificDayOf = (ms: number): string => dates.format(ms);

/** The instant at which a day ends there: 07:00 or 08:00 of the next day in UTC. */
export function endOfPacificDay(day: string): number {
  const [early, late] = [7, 8].map((hours) => Date.parse(day) + DAY_MS + hours * HOUR_MS) as [number, number];
  return pacificDayOf(early) === day ? late : early;
}

/** The days that end after one time, and at another or before it. */
export function pacificDaysBetween(fromMs: number, untilMs: number): string[] {
  const days: string[] = [];
  for (let day = pacificDayOf(fromMs); endOfPacificDay(day) <= untilMs; day = pacificDayOf(endOfPacificDay(day))) days.push(day);
  return days;
}
