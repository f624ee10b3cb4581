import { percentile } from '../../percentile.ts';
import type { BenchPlatform } from '../../platform.ts';
import { atMost } from '../../report/table.ts';
import { fillHistory } from '../../store/fill-history.ts';
import type { Figure } from '../figure.ts';

const P95_MS = 50;
const READS = 200;
const WARM_UP = 50;
const ACCOUNTS = 8;
const DAYS = 365;

/** `GET …/analytics/summary` of a year, compared with the year before, over eight accounts of one business, among many others' days. */
export async function summaryOfAYear(platform: BenchPlatform, points: number, say: (line: string) => void): Promise<Figure[]> {
  const { baseUrl, apiKey, businessId, organizationId, mongoUrl, namespace } = platform;
  say(`${points} days of accounts`);
  await fillHistory(mongoUrl, `${namespace}_analytics`, { businessId, organizationId, accounts: ACCOUNTS, points });
  say('summaries of a year');
  const url = `${baseUrl}/api/businesses/${businessId}/analytics/summary?start_date=${day(DAYS)}&end_date=${day(1)}`;
  const tookMs: number[] = [];
  for (let read = 0; read < WARM_UP + READS; read++) {
    const begun = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(10_000) });
    const body = (await response.json()) as { total?: { accounts: number; current: { days_with_data: number } } };
    if (body.total?.accounts !== ACCOUNTS || body.total.current.days_with_data !== DAYS) {
      throw new Error(`GET ${url} returned ${response.status}: ${JSON.stringify(body).slice(0, 300)}`);
    }
    if (read >= WARM_UP) tookMs.push(performance.now() - begun);
  }
  const p95 = percentile(tookMs, 95);
  return [
    {
      what: `summary of a year over ${ACCOUNTS} accounts, of ${points} stored days (p95; p50: ${percentile(tookMs, 50).toFixed(1)} ms)`,
      measured: `${p95.toFixed(1)} ms`,
      target: `≤ ${P95_MS} ms`,
      verdict: atMost(P95_MS, p95),
    },
  ];
}

const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
