import type { BenchPlatform } from '../../platform.ts';
import { atMost } from '../../report/table.ts';
import { fillFeed } from '../../store/fill-feed.ts';
import { compare } from '../compare.ts';
import type { Figure } from '../figure.ts';

const PAGE = 100;
/** "The same cost", with a margin for noise. */
const SAME = 1.2;

/** A page at the beginning of a long event feed, and its last one. */
export async function feed(platform: BenchPlatform, events: number, say: (line: string) => void): Promise<Figure[]> {
  say(`filling the event feed with ${events} events`);
  await fillFeed(platform, events);
  say('reading the event feed');
  const page = (name: string, after: number) => ({
    name,
    target: {
      origin: platform.baseUrl,
      request: () => ({
        method: 'GET' as const,
        path: `/api/events?cursor=${after}&limit=${PAGE}`,
        headers: { authorization: `Bearer ${platform.apiKey}` },
      }),
    },
    processes: {},
  });
  // Not the very first page: its events are not copies, and of other sizes.
  const figures = await compare([page('first', PAGE), page('last', events - PAGE)], { concurrency: 1, rounds: 5, seconds: 3 });
  const [first = 0, last = 0] = [figures['first']?.p50Ms, figures['last']?.p50Ms];
  return [
    {
      what: `a page of ${PAGE} events at the beginning and at the end of a feed of ${events}, p50`,
      measured: `${first.toFixed(1)} → ${last.toFixed(1)} ms: ${(last / first).toFixed(2)} ×`,
      target: `≤ ${SAME} ×`,
      verdict: atMost(SAME, last / first),
    },
  ];
}
