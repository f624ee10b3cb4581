/** When something is due by an organization's clock, as far as its services know. */
export interface Due {
  /** A post is published, or something decides how: the clock stops exactly then. */
  readonly stopAt?: Date | undefined;
  /** What may also be done a little later. */
  readonly dueAt?: Date | undefined;
}

/** Other work is done when the clock stops for a post, if it is late by a day in an advance of a year; and otherwise after a month. */
const [STOPS, LATEST] = [365, 12];

/** By how much other work may be late. */
export interface Lateness {
  readonly atStopsMs: number;
  readonly mostMs: number;
}

export function latenessOf(from: Date, target: Date): Lateness {
  const ms = target.getTime() - from.getTime();
  return { atStopsMs: Math.ceil(ms / STOPS), mostMs: Math.ceil(ms / LATEST) };
}

/** The next step of an advance. */
export interface Step {
  /** Where the clock is moved: never past the target, nor past the time of a post. */
  readonly to: Date;
  /** Whether other work that is due by then is done, too. */
  readonly allWork: boolean;
}

/** The next step. Pure. */
export function nextStep({ stopAt, dueAt }: Due, from: Date, target: Date, { atStopsMs, mostMs }: Lateness): Step {
  const lateBy = (ms: number) => (dueAt ? dueAt.getTime() + ms : Infinity);
  const to = Math.max(from.getTime(), Math.min(target.getTime(), stopAt?.getTime() ?? Infinity, lateBy(mostMs)));
  return { to: new Date(to), allWork: to >= target.getTime() || to >= lateBy(atStopsMs) };
}
