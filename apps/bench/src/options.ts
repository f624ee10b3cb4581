import { parseArgs } from 'node:util';

/** In the order in which they run. */
export const SECTIONS = [
  ...([
    'memory',
    'publish',
    'reads',
    'stats',
    'list',
    'creates',
    'deliveries',
    'live-reads',
    'snapshots',
    'rendering',
    'beside-jobs',
    'webhooks',
    'probing',
    'downloads',
    'transcoding',
  ] as const),
  ...([
    'summary',
    'due',
    'two-publishers',
    'claims',
    'deep-pages',
    'soak',
    'large-media',
    'large-video',
    'folders',
    'queues',
    'feed',
  ] as const),
] as const;
export type Section = (typeof SECTIONS)[number];

/** The others take minutes, and run only when they are named. */
const USUAL: readonly Section[] = SECTIONS.slice(0, SECTIONS.indexOf('summary'));

export interface Options {
  readonly sections: readonly Section[];
  readonly seconds: number;
  readonly rounds: number;
  readonly concurrencies: readonly number[];
  readonly publications: number;
  readonly deliveries: number;
  readonly posts: number;
  readonly snapshots: number;
  readonly points: number;
  readonly requests: number;
  /** Of the large videos; if absent, each section has its own. */
  readonly megabytes: number | undefined;
  readonly files: number;
  readonly queued: number;
  readonly scheduled: number;
  readonly events: number;
  readonly profile: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

export const usage = `usage: npm run bench [-- options]

Starts Fanfare with data of its own next to a minimal baseline, measures both in turns, and stops everything.

  --only <sections>     of ${SECTIONS.join(', ')}; several with commas (default: ${USUAL.join(',')})
  --seconds <n>         length of a round (default: 4)
  --rounds <n>          rounds of each measurement; the median counts (default: 5)
  --concurrency <list>  concurrent requests (default: 1,16,64)
  --publications <n>    publish: how many posts are published and timed, after 5 that are not (default: 50)
  --deliveries <n>      deliveries: how many text posts are sent (default: 4000)
  --posts <n>           deep-pages: how long the list is (default: 100000)
  --snapshots <n>       snapshots: of how many posts (default: 1000)
  --points <n>          summary: how many days of accounts are stored (default: 1000000)
  --requests <n>        soak: how many requests (default: 100000)
  --megabytes <n>       large-media, large-video: size of what is uploaded, fetched and published (default: 2000, 1000)
  --files <n>           folders: how many files are in the large one (default: 100000)
  --queued <n>          queues: how many posts are in the large one (default: 10000)
  --scheduled <n>       claims: how many posts are scheduled for later (default: 1000000)
  --events <n>          feed: how long the event feed is (default: 1000000)
  --profile <folder>    every process writes a CPU profile there when it ends
  --json                print the results as JSON only`;

/** @throws Error that says what is wrong with the arguments */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: USUAL.join(',') },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '5' },
      concurrency: { type: 'string', default: '1,16,64' },
      publications: { type: 'string', default: '50' },
      deliveries: { type: 'string', default: '4000' },
      posts: { type: 'string', default: '100000' },
      snapshots: { type: 'string', default: '1000' },
      points: { type: 'string', default: '1000000' },
      requests: { type: 'string', default: '100000' },
      megabytes: { type: 'string' },
      files: { type: 'string', default: '100000' },
      queued: { type: 'string', default: '10000' },
      scheduled: { type: 'string', default: '1000000' },
      events: { type: 'string', default: '1000000' },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const chosen = values.only.split(',');
  const unknown = chosen.find((name) => !SECTIONS.includes(name as Section));
  if (unknown !== undefined) throw new Error(`--only ${unknown}: the sections are ${SECTIONS.join(', ')}.`);
  return {
    sections: SECTIONS.filter((name) => chosen.includes(name)),
    seconds: whole('seconds', values.seconds),
    rounds: whole('rounds', values.rounds),
    concurrencies: values.concurrency.split(',').map((each) => whole('concurrency', each)),
    publications: whole('publications', values.publications),
    deliveries: whole('deliveries', values.deliveries),
    posts: whole('posts', values.posts),
    snapshots: whole('snapshots', values.snapshots),
    points: whole('points', values.points),
    requests: whole('requests', values.requests),
    megabytes: values.megabytes === undefined ? undefined : whole('megabytes', values.megabytes),
    files: whole('files', values.files),
    queued: whole('queued', values.queued),
    scheduled: whole('scheduled', values.scheduled),
    events: whole('events', values.events),
    profile: values.profile,
    json: values.json,
    help: values.help,
  };
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a whole number from 1.`);
  return number;
}
