import type { Context } from '../context.ts';
import { IntakeLost, renewIntake, type IntakeDocument } from './store/intakes.ts';

/** An intake that this process works at. */
export interface HeldIntake {
  /** As it was last written; every write goes through its fence. */
  row: IntakeDocument;
  /** Aborted when the process stops or the lease is lost. */
  readonly signal: AbortSignal;
  release(): void;
}

/** Renews the lease until it is released; when it is lost the work breaks off. */
export function holdIntake({ db }: Pick<Context, 'db'>, row: IntakeDocument, options: { leaseMs: number; stop: AbortSignal }): HeldIntake {
  const lost = new AbortController();
  const renewal = setInterval(() => {
    renewIntake(db, row, options.leaseMs).catch((error: unknown) => {
      if (error instanceof IntakeLost) lost.abort(error);
    });
  }, options.leaseMs / 3);
  return { row, signal: AbortSignal.any([options.stop, lost.signal]), release: () => clearInterval(renewal) };
}
