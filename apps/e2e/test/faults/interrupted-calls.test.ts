// Whatever is interrupted, and when: each post is on its platform once, or its outcome is unknown; and a removed one is not there any more. The ways in which posts are
// published are those of the connectors' own tests, so that a ninth platform is among them.
import type { Event } from '@fanfare/sdk';
import { disagreements, type Known } from '../../src/agreement.ts';
import { waysOf, type Way } from './flow-posts.ts';
import { killed, killedInTransaction, lost, rehearse, roundsOf, type Outcome, type Rehearsed } from './interrupt.ts';
import { isFull, platforms, progress } from './options.ts';
import { publishingScenes } from './publishing-scenes.ts';
import { removalScenes } from './removal-scenes.ts';
import type { Scene } from './scene.ts';
import { startStage, type Stage } from './stage.ts';
import { strategyScenes } from './strategy-scenes.ts';
import { tableOf } from './table.ts';

const LONG_MS = isFull ? 3 * 3_600_000 : 900_000;

let stage: Stage;
let scenes: Record<'publishing' | 'removals' | 'strategies', readonly Scene[]>;
let rehearsed: readonly Rehearsed[] = [];
const posts: Known[] = [];
const outcomes: Outcome[] = [];

beforeAll(async () => {
  stage = await startStage(platforms);
  const remember = (post: Known) => posts.push(post);
  const all = await waysOf(stage.platform, platforms);
  const ways = isFull ? all : firstOfEach(all);
  scenes = {
    publishing: publishingScenes(stage, ways, remember),
    removals: removalScenes(stage, ways, remember).slice(0, isFull ? undefined : 1),
    strategies: (await strategyScenes(stage, remember)).filter((scene) => scene.platforms.every((name) => platforms.includes(name))),
  };
  await stage.startPublisher('holding');
}, LONG_MS);
afterAll(async () => {
  if (isFull && outcomes.length > 0) process.stderr.write(`\nWhat became of ${outcomes.length} posts:\n${tableOf(outcomes)}\n\n`);
  await stage.stop();
}, LONG_MS);

/** The simplest way of each platform. */
const firstOfEach = (ways: readonly Way[]): Way[] => [...new Map(ways.toReversed().map((way) => [way.platform, way])).values()];

/** In the short form: the calls that make posts public or remove them, and the first one that changes something. */
function sampled(one: Rehearsed): Rehearsed {
  if (isFull) return one;
  const first = one.calls.find(({ isRead }) => !isRead);
  return { ...one, calls: one.calls.filter((call) => call === first || call.isCommit || (one.scene.removes && !call.isRead)) };
}

const commitsOf = (one: Rehearsed): Rehearsed => (isFull ? one : { ...one, calls: one.calls.filter(({ isCommit }) => isCommit) });

async function inRounds(all: readonly Rehearsed[], work: (round: readonly Rehearsed[]) => Promise<Outcome[]>): Promise<Outcome[]> {
  const found: Outcome[] = [];
  const rounds = roundsOf(all);
  for (const [index, round] of rounds.entries()) {
    found.push(...(await work(round)));
    progress(`round ${index + 1} of ${rounds.length}, ${found.length} posts: ${round.map(({ scene }) => scene.name).join(', ')}`);
  }
  outcomes.push(...found);
  return found;
}

const wrongIn = (all: readonly Outcome[]): string[] =>
  all.flatMap(({ scene, fault, place, postId, wrong }) =>
    wrong.map((what) => `${scene}, ${fault}, at ${place ? `${place.platform} ${place.step}` : 'an unknown call'}, post ${postId}: ${what}`),
  );

/** Each scene was interrupted in each way while it made a post public. */
function expectCommits(all: readonly Outcome[], of: readonly Scene[]): void {
  const interrupted = new Set(all.flatMap(({ scene, fault, place }) => (place?.isCommit ? [`${scene}, ${fault}`] : [])));
  const faults = new Set(all.map(({ fault }) => fault));
  expect(of.flatMap(({ name }) => [...faults].map((fault) => `${name}, ${fault}`)).filter((one) => !interrupted.has(one))).toEqual([]);
}

test(
  'nothing is interrupted: every way of publishing, unpublishing and every strategy ends well',
  async () => {
    const alone = await rehearse(stage, [...scenes.publishing, ...scenes.removals]);
    rehearsed = [...alone, ...(await rehearse(stage, scenes.strategies))].map(sampled);
    expect(rehearsed.flatMap(({ calls }) => calls).length).toBeGreaterThan(0);
  },
  LONG_MS,
);

test(
  'the publisher is killed before, during and after each call: a post is there once or its outcome is unknown, and an unpublished one is not there any more',
  async () => {
    const all = await inRounds(
      rehearsed.filter(({ scene }) => !scenes.strategies.includes(scene)),
      (round) => killed(stage, round),
    );
    expect(wrongIn(all)).toEqual([]);
    expectCommits(all, scenes.publishing);
  },
  LONG_MS,
);

test(
  'the publisher is killed while it prepares, publishes and takes back posts that depend on each other: their results agree with what became of them',
  async () => {
    const all = await inRounds(
      rehearsed.filter(({ scene }) => scenes.strategies.includes(scene)),
      (round) => killed(stage, round),
    );
    expect(wrongIn(all)).toEqual([]);
    expectCommits(all, scenes.strategies);
  },
  LONG_MS,
);

if (isFull) {
  test(
    'the publisher is killed before it commits what the last call of each scene has led to',
    async () => expect(wrongIn(await inRounds(rehearsed, (round) => killedInTransaction(stage, round)))).toEqual([]),
    LONG_MS,
  );
}

test(
  'connections break and responses never come: the same',
  async () => {
    await stage.startPublisher('timing out');
    const of = isFull ? Object.values(scenes).flat() : scenes.publishing;
    const all = await inRounds(rehearsed.filter(({ scene }) => of.includes(scene)).map(commitsOf), (round) =>
      lost(stage, round, isFull ? undefined : ['connection reset before the response']),
    );
    expect(wrongIn(all)).toEqual([]);
  },
  LONG_MS,
);

test(
  'the API, the publisher, timelines, events and the platforms agree on all these posts',
  async () => {
    expect(await disagreements(stage.platform, posts)).toEqual([]);
    // Whatever happened to the calls: one event for each removal.
    const removed: Event[] = await stage.platform.fanfare.events.list({ types: 'post.unpublished', limit: 100 }).toArray();
    const ids = removed.map(({ data }) => ('id' in data ? data.id : ''));
    expect(ids.length).toBe(new Set(ids).size);
  },
  LONG_MS,
);
