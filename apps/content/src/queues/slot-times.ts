import type { QueueSlot } from '@fanfare/contracts/content/queues';
import { offsetMs, skippedTimes, whenShownOrLater, type SkippedTime } from '../series/time-zone.ts';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3;
/** Farther apart than this, no change of clocks brings two local days out of order. */
const NEAR = 2;

/**
 * The times at which a queue publishes. Clock changes: a local time that is skipped is at the same distance after the change, one that occurs twice is the
 * first. Two slots that fall on the same moment because of a change are one.
 */
export interface SlotTimes {
  /** The n-th slot after a moment, from 1. It takes as long for the ten thousandth as for the first. */
  nth(after: Date, n: number): Date;
}

/** @param slots at least one, checked; see `checkSlots` */
export function slotTimes(slots: readonly QueueSlot[], timezone: string): SlotTimes {
  /** For each day of the week, the times of its slots in milliseconds from midnight, in order. */
  const byDay = DAYS.map((day) =>
    slots
      .filter(({ days }) => days.includes(day))
      .map(({ time }) => minutesOf(time) * MINUTE_MS)
      .sort((a, b) => a - b),
  );
  /** How many slots of a week come before each day. */
  const before = byDay.map((_, day) => byDay.slice(0, day).flat().length);
  const perWeek = byDay.flat().length;

  // Local days are counted from 1970, and slots from that day's week. Days and slots without clock changes are in the same order.
  const weekdayOf = (day: number) => (day + FIRST_WEEKDAY) % 7;
  const slotsBefore = (day: number) => Math.floor((day + FIRST_WEEKDAY) / 7) * perWeek + (before[weekdayOf(day)] ?? 0);
  const dayOfSlot = (index: number) => {
    const inWeek = index % perWeek;
    return Math.floor(index / perWeek) * 7 + before.findLastIndex((count) => count <= inWeek) - FIRST_WEEKDAY;
  };
  const localDay = (at: number) => Math.floor((at + offsetMs(at, timezone)) / DAY_MS);

  /** The moments of all slots of the days around a day, in order. */
  const around = remembered((day: number): readonly number[] => {
    const [from, to] = [day - NEAR, day + NEAR];
    const offset = offsetMs((from - 1) * DAY_MS, timezone);
    const isSame = offset === offsetMs((to + 2) * DAY_MS, timezone);
    const local = Array.from({ length: to - from + 1 }, (_, one) =>
      (byDay[weekdayOf(from + one)] ?? []).map((ms) => (from + one) * DAY_MS + ms),
    ).flat();
    return isSame
      ? local.map((ms) => ms - offset)
      : local.map((ms) => whenShownOrLater(new Date(ms), timezone).getTime()).sort((a, b) => a - b);
  });

  /** Like `nth`, but slots that fall on the same moment count each. */
  const nthOfAll = (after: number, n: number): number => {
    const today = localDay(after);
    const past = around(today).filter((at) => at <= after).length;
    const index = slotsBefore(today - NEAR) + past + n - 1;
    const day = dayOfSlot(index);
    return around(day)[index - slotsBefore(day - NEAR)] ?? Number.NaN;
  };

  const inWeek = new Set(byDay.flatMap((times, day) => times.map((ms) => day * DAY_MS + ms)));
  const canCoincide = remembered((ms: number) => [...inWeek].some((slot) => inWeek.has((slot + ms) % WEEK_MS)));
  /** The moments that slots have in common with an earlier one after a change of clocks. */
  const doubles = remembered(({ at, ms }: SkippedTime): readonly number[] => {
    if (!canCoincide(ms)) return [];
    const [from, to] = [at.getTime(), at.getTime() + ms];
    return around(localDay(from)).filter((slot, index, all) => slot >= from && slot < to && slot === all[index - 1]);
  });
  const doublesIn = (after: number, to: number): number => {
    let count = 0;
    for (let year = new Date(after).getUTCFullYear(); year <= new Date(to).getUTCFullYear(); year++) {
      for (const change of skippedTimes(timezone, year)) count += doubles(change).filter((at) => at > after && at <= to).length;
    }
    return count;
  };

  return {
    nth(after, n) {
      const from = after.getTime();
      for (let double = 0; ;) {
        const at = nthOfAll(from, n + double);
        const passed = doublesIn(from, at);
        if (passed === double) return new Date(at);
        double = passed;
      }
    },
  };
}

/** Minutes from midnight; NaN for what is not a time from 00:00 to 23:59. */
export function minutesOf(time: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

function remembered<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.has(key) ? (known.get(key) as V) : compute(key);
    known.set(key, value);
    return value;
  };
}
