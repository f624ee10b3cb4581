/** @throws the reason of the signal, as soon as it is aborted */
export async function pause(waitMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  const giveUp = () => reject(signal?.reason as Error);
  signal?.addEventListener('abort', giveUp, { once: true });
  await promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  });
}
