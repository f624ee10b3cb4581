const MIN_DELAY_MS = 50;
const MAX_DELAY_MS = 500;

/**
 * Retries until `attempt` does not throw, and returns its result. The longer it takes, the rarer are the attempts: dozens of processes may be starting,
 * and looking at them takes CPU from them.
 * @param timeoutMs after this an error is thrown whose message is `what`, followed by the last failure
 * @param signal ends the retries early, with the last failure
 */
export async function until<T>(what: string, timeoutMs: number, attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted) throw error;
      if (performance.now() > start + timeoutMs)
        throw new Error(`${what} (waited ${timeoutMs / 1000} s): ${reasonOf(error)}`, { cause: error });
    }
    const delayMs = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, (performance.now() - start) / 8));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
}

/** The first line of an error's message. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).trim().split('\n', 1)[0] ?? '';
}
