import type { BenchPlatform } from '../../platform.ts';
import { atLeast, atMost } from '../../report/table.ts';
import { takenOver } from '../../store/taken-over.ts';
import type { Figure } from '../figure.ts';
import { organizations } from '../organizations.ts';
import { collectDeliveries, metricOf, untilOpen, untilPublished } from './collect-deliveries.ts';

const PLATFORMS = ['x', 'facebook'];
const COUNT = 2_000;
const SMALLER_SHARE = 0.4;
/** The lease of a delivery. */
const LEASE_S = 10;

/** Text posts that become due at once for two publishers: how many each sends; and how soon the other one takes over what a killed one was sending. */
export async function twoPublishers(platform: BenchPlatform, say: (line: string) => void): Promise<Figure[]> {
  const publishers = await organizations(platform, PLATFORMS);
  const second = await platform.addPublisher();
  const sentBy = (adminUrl: string) => metricOf(adminUrl, 'fanfare_deliveries_ended_total');
  const both = [platform.adminUrls['publisher'] ?? '', second.adminUrl];

  say(`${COUNT} text deliveries by two publishers`);
  const shared = await collectDeliveries(platform, publishers, PLATFORMS, COUNT);
  const before = await Promise.all(both.map(sentBy));
  await shared.release();
  await untilOpen(platform, (open) => open === 0);
  const sent = (await Promise.all(both.map(sentBy))).map((now, at) => now - (before[at] ?? 0));
  await untilPublished(shared.posts);
  const share = Math.min(...sent) / sent.reduce((sum, one) => sum + one, 0);

  say(`${COUNT} more, of which one publisher is killed`);
  const more = await collectDeliveries(platform, publishers, PLATFORMS, COUNT);
  await more.release();
  await untilOpen(platform, (open) => open < COUNT / 2);
  second.kill();
  const seconds = await takenOver(platform);
  return [
    {
      what: `${COUNT} text deliveries by two publishers (${sent.join(' and ')}): share of the one that sends less`,
      measured: `${(share * 100).toFixed(0)} %`,
      target: `≥ ${SMALLER_SHARE * 100} %`,
      verdict: atLeast(SMALLER_SHARE, share),
    },
    {
      what: 'from the kill of one of them until the other has all its deliveries',
      measured: `${seconds.toFixed(1)} s`,
      target: `≤ ${LEASE_S} s, the lease`,
      verdict: atMost(LEASE_S, seconds),
    },
  ];
}
