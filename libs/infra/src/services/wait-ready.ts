import { fetch } from '@fanfare/runtime/http-client';
import { lastLines } from '../processes/last-lines.ts';
import type { ServiceProcess } from './start-service.ts';
import { until } from '../until.ts';

/**
 * Waits until a service returns 200 on /readyz.
 * @param adminUrl `http://127.0.0.1:9101`
 * @throws Error with the end of the service's log: as soon as its process ends, or if it is not ready in time
 */
export async function waitReady(
  adminUrl: string,
  { timeoutMs, process: service }: { timeoutMs: number; process: ServiceProcess },
): Promise<void> {
  const abandoned = new AbortController();
  const ended = service.exited.then(({ code, signal }) => {
    throw new Error(`${service.name} ended while it started (${signal ?? `exit code ${code}`})`);
  });
  const ready = until(
    `${service.name} is not ready`,
    timeoutMs,
    async () => {
      const response = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.any([abandoned.signal, AbortSignal.timeout(5_000)]) });
      if (!response.ok) throw new Error(`${response.status} ${(await response.text()).slice(0, 200)}`);
    },
    abandoned.signal,
  );
  try {
    await Promise.race([ready, ended]);
  } catch (error) {
    throw new Error(`${(error as Error).message}. The end of ${service.logFile}:\n${await lastLines(service.logFile, 10)}`, {
      cause: error,
    });
  } finally {
    abandoned.abort();
    ended.catch(() => {});
    ready.catch(() => {});
  }
}
