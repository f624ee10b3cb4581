/** When something is due by an organization's clock, as far as its services know. */
export interface Due {
  /** A post is published, or something decides how: the clock stops exactly then. */
  readonly stopAt?: Date | undefined;
  /** What may also be done a little later. */
  readonly dueAt?: Date | undefined;
}

/** How many steps an advance takes at most in addition to those for posts. */
const MOST_STEPS = 60;

/** By how much work that need not be exact may be late in an advance. */
export const strideOf = (from: Date, target: Date): number => Math.ceil((target.getTime() - from.getTime()) / MOST_STEPS);

/** The next step of an advance. */
export interface Step {
  /** Where the clock is moved: never past the target, nor past the time of a post. */
  readonly to: Date;
  /** Whether other work that is due by then is done, too. */
  readonly allWork: boolean;
}

/** The next step. Pure. */
export function nextStep({ stopAt, dueAt }: Due, from: Date, target: Date, strideMs: number): Step {
  const latest = dueAt && new Date(dueAt.getTime() + strideMs);
  const times = [target, ...(stopAt ? [stopAt] : []), ...(latest ? [latest] : [])];
  const to = new Date(Math.max(from.getTime(), Math.min(...times.map((time) => time.getTime()))));
  return { to, allWork: to >= target || (latest !== undefined && to >= latest) };
}
