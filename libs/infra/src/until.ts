/**
 * Retries until `attempt` does not throw, and returns its result.
 * @param timeoutMs after this an error is thrown whose message is `what`, followed by the last failure
 * @param signal ends the retries early, with the last failure
 */
export async function until<T>(what: string, timeoutMs: number, attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted) throw error;
      if (performance.now() > end) throw new Error(`${what} (waited ${timeoutMs / 1000} s): ${reasonOf(error)}`, { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The first line of an error's message. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).trim().split('\n', 1)[0] ?? '';
}
