/**
 * Retries until `attempt` neither throws nor returns false or undefined, and returns its result. For everything that happens "soon": a test never
 * sleeps. Delays grow with the time waited, because others need the CPU.
 * @param timeoutMs after this the last error is thrown; the default is one that a busy machine does not reach
 */
export async function eventually<T>(
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 240_000,
): Promise<T> {
  const start = performance.now();
  for (;;) {
    let failure: unknown;
    try {
      const value = await attempt();
      if (value !== undefined && value !== false) return value;
      failure = new Error('It did not happen.');
    } catch (error) {
      failure = error;
    }
    const waitedMs = performance.now() - start;
    if (waitedMs > timeoutMs)
      throw new Error(`Not within ${timeoutMs} ms: ${failure instanceof Error ? failure.message : String(failure)}`, { cause: failure });
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, Math.max(20, waitedMs / 5))));
  }
}
