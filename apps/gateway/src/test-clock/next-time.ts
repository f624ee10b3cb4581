/** When something is due by an organization's clock, as far as its services know. */
export interface Due {
  /** A post is published, or something decides how: the clock stops exactly then. */
  readonly stopAt?: Date | undefined;
  /** What may also be done a little later. */
  readonly dueAt?: Date | undefined;
}

/** How many steps an advance may take in addition to those for posts: an advance of a year does other work once a day. */
const MOST_STEPS = 365;

/** By how much work that need not be exact may be late in an advance. */
export const strideOf = (from: Date, target: Date): number => Math.ceil((target.getTime() - from.getTime()) / MOST_STEPS);

/** Where a clock is moved next: never past the target, nor past the time of a post. Pure. */
export function nextTime({ stopAt, dueAt }: Due, target: Date, strideMs: number): Date {
  const times = [target, ...(stopAt ? [stopAt] : []), ...(dueAt ? [new Date(dueAt.getTime() + strideMs)] : [])];
  return new Date(Math.min(...times.map((time) => time.getTime())));
}
