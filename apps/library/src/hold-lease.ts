import type { Logger } from '@fanfare/runtime';

/**
 * Renews a lease until it is released. `lost` is aborted when somebody else has it.
 * @param renew answers with false when it is lost; when it fails, it is tried again
 */
export function holdLease(renew: () => Promise<boolean>, leaseMs: number, log: Logger): { readonly lost: AbortSignal; release(): void } {
  const lost = new AbortController();
  const renewal = setInterval(() => {
    renew().then(
      (isHeld) => isHeld || lost.abort(new Error('The lease is lost.')),
      (error: unknown) => log.warn({ err: error }, 'lease not renewed'),
    );
  }, leaseMs / 3);
  return { lost: lost.signal, release: () => clearInterval(renewal) };
}
