// Random histories of posts, while services are killed: each post is what a small model says, and all sources agree on it.
import { FanfareError, type Queue } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import fc from 'fast-check';
import { MongoClient, type Db } from 'mongodb';
import { copiesOf, disagreements, knownBy, type Known } from '../src/agreement.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { readPost, untilServed, untilTerminal, untilUnpublished } from '../src/publish.ts';
import { isFull, progress, seed } from './faults/options.ts';
import { concernsQueues, doubt, emptyModel, statusOf, step, type Action, type Model, type Step } from './faults/post-model.ts';

const POSTS = 5;
const QUEUES = 2;
const KILLED = ['content', 'publisher', 'webhooks'] as const;

let platform: Platform;
let mongo: MongoClient;
let db: Db;
beforeAll(async () => {
  platform = await borrowPlatform(['x']);
  const { MONGODB_URL: url = '', MONGODB_DATABASE: database } = platform.settingsOf('content');
  mongo = await new MongoClient(url).connect();
  db = mongo.db(database);
});
afterAll(async () => {
  await mongo?.close();
  await platform.stop();
});

const post = fc.nat({ max: POSTS - 1 });
const queue = fc.nat({ max: QUEUES - 1 });
const ofPost = fc.constantFrom('edit', 'schedule', 'unschedule', 'approve', 'reject', 'publish', 'unpublish', 'delete', 'due');
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: ofPost, post }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('queue' as const), post, queue },
      position: fc.option(fc.integer({ min: 1, max: POSTS + 1 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('slot' as const), queue }) },
);
/** Sent together, while a service is killed or not. */
const round = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 3 }),
  killed: fc.option(fc.constantFrom(...KILLED), { freq: 4, nil: undefined }),
});
const history = fc.array(round, isFull ? { minLength: 12, maxLength: 20 } : { minLength: 6, maxLength: 9 });

/** What really exists. */
interface World {
  readonly ids: readonly string[];
  readonly queues: readonly Queue[];
  readonly captions: readonly string[];
}

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
/** In some days: no slot comes by itself. */
const slots = () => [{ days: [days[(new Date().getUTCDay() + 3) % 7]!], time: '12:00' }];

async function aWorld(name: string): Promise<World> {
  const { fanfare, tenant } = platform;
  const captions = Array.from({ length: POSTS }, (_, index) => `${name}, post ${index}.`);
  const posts = await Promise.all(captions.map((caption) => fanfare.posts.create(tenant.business_id, { caption })));
  const queues = await Promise.all(
    Array.from({ length: QUEUES }, (_, index) => fanfare.queues.create(tenant.business_id, { name: `${name}, ${index}`, slots: slots() })),
  );
  return { ids: posts.map(({ id }) => id), queues, captions };
}

/** Carries out an action, and repeats it as long as something is down. @param expected the response of the model */
async function act({ ids, queues, captions }: World, one: Action, expected: Step['response']): Promise<'done' | 'conflict' | 'not_found'> {
  const { fanfare, tenant } = platform;
  const { posts } = fanfare;
  const business = tenant.business_id;
  // A repeated call is the same request: the API rejects another body with the same key.
  const key = { idempotencyKey: crypto.randomUUID() };
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const edited = `Edited at ${performance.now()}.`;
  let tries = 0;
  const call = (): Promise<unknown> => {
    tries++;
    if (one.kind === 'slot') return comes('queues', queues[one.queue]!.id, 'next_slot_at');
    const id = ids[one.post]!;
    switch (one.kind) {
      case 'edit':
        return posts.update(business, id, { caption: `${captions[one.post]} ${edited}` });
      case 'schedule':
        return posts.schedule(business, id, { scheduled_publish_time: inAnHour }, key);
      case 'queue':
        return posts.queue(business, id, { queue_id: queues[one.queue]!.id, ...(one.position && { position: one.position }) }, key);
      case 'unschedule':
        return posts.unschedule(business, id, key);
      case 'approve':
      case 'reject':
        return posts.review(business, id, { decision: one.kind }, key);
      case 'publish':
        return posts.publish(business, id, {}, key);
      case 'unpublish':
        return posts.unpublish(business, id, {}, key);
      case 'delete':
        return posts.delete(business, id);
      case 'due':
        return comes('posts', id, 'next_due_at', 'scheduled_publish_time');
    }
  };
  try {
    await untilServed(call);
    return 'done';
  } catch (error) {
    if (!(error instanceof FanfareError) || (error.status !== 409 && error.status !== 404)) throw error;
    // The response to the first try was lost.
    if (error.status === 404 && one.kind === 'delete' && expected === 'done' && tries > 1) return 'done';
    return error.status === 409 ? 'conflict' : 'not_found';
  }
}

/** As if the time that it waits for had come. */
async function comes(collection: 'posts' | 'queues', id: string, ...names: string[]): Promise<void> {
  const at = new Date(Date.now() - 1_000);
  const change = Object.fromEntries(names.map((name) => [name, at]));
  await db.collection(collection).updateOne({ _id: id as never, [names[0]!]: { $exists: true } }, { $set: change });
}

/** Those that can be sent together: about different posts, and at most one about queues. */
function together(model: Model, actions: readonly Action[]): Action[] {
  const isFree = ({ published }: Model['posts'][number]) => published !== 'doubtful';
  const chosen: Action[] = [];
  for (const one of actions) {
    const isFirst = !chosen.some((other) => 'post' in one && 'post' in other && one.post === other.post);
    const isOrdered = !concernsQueues(model, one) || !chosen.some((other) => concernsQueues(model, other));
    if (isFirst && isOrdered && !('post' in one && !isFree(model.posts[one.post]!))) chosen.push(one);
  }
  return chosen;
}

async function carryOut(world: World, model: Model, { actions, killed }: { actions: readonly Action[]; killed: string | undefined }) {
  const steps = together(model, actions).map((one) => ({ one, expected: step(model, one) }));
  const [responses] = await Promise.all([
    Promise.all(steps.map(({ one, expected }) => act(world, one, expected.response))),
    killed && platform.kill(killed).then(() => platform.start(killed as (typeof KILLED)[number])),
  ]);
  expect(steps.map(({ one }, index) => ({ ...one, response: responses[index] }))).toEqual(
    steps.map(({ one, expected }) => ({ ...one, response: expected.response })),
  );
  // They concern different posts, and queues only once: the order does not matter.
  let after = model;
  for (const { one } of steps) after = step(after, one).model;
  for (const { expected } of steps) {
    if (expected.sent === undefined) continue;
    const sent = await untilTerminal(platform, world.ids[expected.sent]!);
    const [result] = sent.publish_results;
    // The platform never rejects anything.
    if (result?.status === 'failed') {
      expect({ error_type: result.error_type, killed }).toEqual({ error_type: 'unknown_outcome', killed: 'publisher' });
      after = doubt(after, expected.sent);
    }
  }
  for (const { one, expected } of steps) {
    if (one.kind === 'unpublish' && expected.response === 'done') await untilUnpublished(platform, world.ids[one.post]!);
  }
  await expectModel(world, after);
  return after;
}

/** The API and the platform show what the model says. */
async function expectModel({ ids, queues, captions }: World, model: Model): Promise<void> {
  const { fanfare, tenant, sandbox } = platform;
  await eventually(async () => {
    for (const [index, { id }] of queues.entries()) {
      const listed = await fanfare.queues.posts(tenant.business_id, id).toArray();
      const numbers = listed.map((one) => ids.indexOf(one.id));
      expect({ queue: index, posts: numbers }).toEqual({ queue: index, posts: model.queues[index] });
      expect(listed.map((one) => one.queue?.position)).toEqual(numbers.map((_, at) => at + 1));
    }
    const sent = await sandbox.posts();
    for (const [number, id] of ids.entries()) {
      const status = await readPost(platform, id).then(
        (read) => read.status,
        (error: unknown) => (error instanceof FanfareError && error.status === 404 ? undefined : Promise.reject(error as Error)),
      );
      expect({ number, status }).toEqual({ number, status: statusOf(model, number) });
      const { published } = model.posts[number]!;
      const copies = copiesOf(knownBy(id, captions[number]!), sent).length;
      if (published === 'doubtful') expect(copies).toBeLessThanOrEqual(1);
      else expect({ number, copies }).toEqual({ number, copies: published === 'yes' ? 1 : 0 });
    }
    return true;
  });
}

test('after any history, each post is what a small model says, and all sources agree', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(history, async (rounds) => {
      const { fanfare } = platform;
      const name = `History ${++run}`;
      const after = (await fanfare.events.list({ limit: 100 }).toArray()).length;
      const webhook = await fanfare.webhooks.create({ url: `${platform.sandbox.url}/_webhooks/h${run}`, events: ['*'], ordered: true });
      const world = await aWorld(name);
      let model = emptyModel(POSTS, QUEUES);
      for (const one of rounds) model = await carryOut(world, model, one);
      const posts: Known[] = world.ids.map((id, number) => knownBy(id, world.captions[number]!));
      expect(await disagreements(platform, posts, { receiver: `h${run}`, after })).toEqual([]);
      await fanfare.webhooks.delete(webhook.id);
      progress(`${name}, seed ${seed}: ${rounds.length} rounds`);
    }),
    { numRuns: isFull ? 20 : 3, seed, endOnFailure: true },
  );
}, 3_600_000);
