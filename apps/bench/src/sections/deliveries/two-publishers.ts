import type { BenchPlatform } from '../../platform.ts';
import { atLeast, atMost } from '../../report/table.ts';
import { samplesOf } from '../../samples-of.ts';
import { takenOver } from '../../store/taken-over.ts';
import type { Figure } from '../figure.ts';
import { organizations } from '../organizations.ts';
import { collectDeliveries, PLATFORMS, untilOpen, untilPublished } from './collect-deliveries.ts';

const COUNT = 2_000;
const LEFT = 300;
const SMALLER_SHARE = 0.4;
/** The lease of a delivery, a second until somebody looks, and one to find out which rows are locked. */
const MOST_S = 12;
/** A row that the killed process was writing is locked until MongoDB ends the transaction: after 15 s here, and it looks every few seconds. */
const ALL_S = 25;

/** Text posts that become due at once for two publishers: how many each sends; and how soon the other one takes over what a killed one was sending. */
export async function twoPublishers(platform: BenchPlatform, say: (line: string) => void): Promise<Figure[]> {
  const publishers = await organizations(platform, PLATFORMS);
  const second = await platform.addPublisher();
  // None as long as it has sent nothing.
  const sentBy = async (adminUrl: string) =>
    (await samplesOf(adminUrl, 'fanfare_deliveries_ended_total')).reduce((sum, one) => sum + one, 0);
  const both = [platform.adminUrls['publisher'] ?? '', second.adminUrl];

  say(`${COUNT} text deliveries by two publishers`);
  const shared = await collectDeliveries(platform, publishers, COUNT);
  const before = await Promise.all(both.map(sentBy));
  await shared.release();
  await untilOpen(platform, (open) => open === 0);
  const sent = (await Promise.all(both.map(sentBy))).map((now, at) => now - (before[at] ?? 0));
  await untilPublished(shared.posts);
  const share = Math.min(...sent) / sent.reduce((sum, one) => sum + one, 0);

  say(`${COUNT} more, of which one publisher is killed`);
  const more = await collectDeliveries(platform, publishers, COUNT);
  await more.release();
  // Near the end, because what is taken over is due after everything that has waited longer.
  await untilOpen(platform, (open) => open < LEFT);
  second.kill();
  const { most, all } = await takenOver(platform);
  return [
    {
      what: `${COUNT} text deliveries by two publishers (${sent.join(' and ')}): share of the one that sends less`,
      measured: `${(share * 100).toFixed(0)} %`,
      target: `≥ ${SMALLER_SHARE * 100} %`,
      verdict: atLeast(SMALLER_SHARE, share),
    },
    taken('nine in ten of its deliveries', most, MOST_S),
    taken('all of them', all, ALL_S),
  ];
}

const taken = (what: string, seconds: number, limit: number): Figure => ({
  what: `from the kill of one of them until the other has ${what}`,
  measured: `${seconds.toFixed(1)} s`,
  target: `≤ ${limit} s`,
  verdict: atMost(limit, seconds),
});
