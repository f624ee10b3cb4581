/** The metrics of a process, in the text format of Prometheus. */
export const readMetrics = async (adminUrl: string): Promise<string> =>
  (await fetch(`${adminUrl}/metrics`, { signal: AbortSignal.timeout(10_000) })).text();

/** The values of all series of a metric; none if the process does not have it. */
export async function samplesOf(adminUrl: string, name: string): Promise<number[]> {
  const values = (await readMetrics(adminUrl)).matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'));
  return [...values].map(([, value]) => Number(value));
}
