/** Interrupts a run from outside. */
interface Interruption {
  /** Resolves at the first Ctrl-C (or SIGTERM, SIGHUP, or when the process that started this one has ended). */
  readonly requested: Promise<void>;
  /** Aborted at the same time, and by `give up`. */
  readonly signal: AbortSignal;
  giveUp(): void;
}

/** @param force called at the second Ctrl-C; ends the process */
export function onInterruption(force: () => void): Interruption {
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  const abort = new AbortController();
  const interrupt = () => {
    if (abort.signal.aborted) return force();
    abort.abort();
    resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  process.once('disconnect', () => {
    abort.abort();
    resolve();
  });
  return { requested, signal: abort.signal, giveUp: () => abort.abort() };
}
