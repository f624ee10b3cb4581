import { setTimeout as wait } from 'node:timers/promises';
import { samplesOf } from './samples-of.ts';

const POLL_MS = 50;
const LIMIT_MS = 120_000;

/** Waits until every event of a service is in Kafka, by its metrics, which count the outbox when they are requested. */
export async function outboxEmpty(adminUrl: string): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while ((await waiting(adminUrl)) > 0) {
    if (performance.now() > end) throw new Error(`Events still wait in the outbox after ${LIMIT_MS / 1000} s.`);
    await wait(POLL_MS);
  }
}

async function waiting(adminUrl: string): Promise<number> {
  const [sample] = await samplesOf(adminUrl, 'fanfare_outbox_waiting');
  if (sample === undefined) throw new Error(`${adminUrl}/metrics does not report how many events wait in the outbox.`);
  return sample;
}
