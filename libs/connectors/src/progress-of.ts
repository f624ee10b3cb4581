import type { State, StepResult } from './connector.ts';

/**
 * How a connector reads its progress from a delivery's state, and returns it from a step.
 * @param publishIdOf the id of the post, once there is one
 */
export const progressOf = <Progress extends object>(publishIdOf: (progress: Progress) => string | undefined) => ({
  readProgress: (state: State): Progress => state as Progress,
  /** @param waitMs until the next step, if the platform needs time */
  done(progress: Progress, waitMs?: number): StepResult {
    const publishId = publishIdOf(progress);
    return { state: { ...progress } as State, ...(publishId !== undefined && { publishId }), ...(waitMs !== undefined && { waitMs }) };
  },
});
