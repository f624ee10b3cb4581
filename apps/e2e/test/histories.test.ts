// Random histories of posts, while services are killed: the feed, the webhooks and the resources must tell the same.
import type { Event, Post } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import fc from 'fast-check';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { readPost, untilTerminal, untilUnpublished } from '../src/publish.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform();
});
afterAll(() => platform.stop());

const ACTIONS = ['update', 'schedule', 'unschedule', 'approve', 'reject', 'publish', 'unpublish', 'delete'] as const;
const KILLED = ['webhooks', 'content', 'publisher'] as const;

type Step =
  | { readonly kind: 'act'; readonly action: (typeof ACTIONS)[number]; readonly post: number }
  | { readonly kind: 'kill'; readonly service: (typeof KILLED)[number] };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('act' as const), action: fc.constantFrom(...ACTIONS), post: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), service: fc.constantFrom(...KILLED) }) },
);

/** Sent together: actions on different posts overlap. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 6, maxLength: 10 });

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Not every action is possible in every state, and a service may be down: both are part of the history. */
async function act({ fanfare, tenant }: Platform, action: (typeof ACTIONS)[number], id: string): Promise<unknown> {
  const { posts } = fanfare;
  const business = tenant.business_id;
  switch (action) {
    case 'update':
      return posts.update(business, id, { caption: `Changed at ${performance.now()}` });
    case 'schedule':
      return posts.schedule(business, id, { scheduled_publish_time: inAnHour() });
    case 'unschedule':
      return posts.unschedule(business, id);
    case 'approve':
    case 'reject':
      return posts.review(business, id, { decision: action });
    case 'publish':
      return posts.publish(business, id, {});
    case 'unpublish':
      return posts.unpublish(business, id, {});
    case 'delete':
      return posts.delete(business, id);
  }
}

const bodiesOf = async (name: string) => (await platform.sandbox.webhooks(name)).map(({ body }) => JSON.parse(body) as Event);
const idOf = ({ data }: Event) => ('id' in data ? String(data.id) : '');
const asInEvents = ({ self: _, ...post }: Post): object => ({
  ...post,
  media_details: post.media_details.map((media) => ({ ...media, description: '', transcript: '' })),
});

test('feed, webhooks and resources tell the same after any history', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(history, async (rounds) => {
      const receiver = `history-${run++}`;
      const { fanfare, tenant } = platform;
      const before = (await fanfare.events.list().toArray()).length;
      const webhook = await fanfare.webhooks.create({ url: `${platform.sandbox.url}/_webhooks/${receiver}`, events: ['*'], ordered: true });
      const posts = await Promise.all(
        Array.from({ length: 4 }, (_, index) => fanfare.posts.create(tenant.business_id, { caption: `Post ${index}` })),
      );
      const ids = posts.map(({ id }) => id);
      for (const steps of rounds) {
        await Promise.all(
          steps.map(async (one) => {
            if (one.kind === 'kill') return platform.kill(one.service);
            await act(platform, one.action, ids[one.post] ?? '').catch(() => undefined);
          }),
        );
        for (const one of new Set(steps.flatMap((each) => (each.kind === 'kill' ? [each.service] : [])))) await platform.start(one);
      }
      await agree(ids, before, receiver);
      await fanfare.webhooks.delete(webhook.id);
    }),
    { numRuns: 3, endOnFailure: true },
  );
}, 300_000);

/** Waits until the feed has ended, and compares. */
async function agree(ids: readonly string[], before: number, receiver: string): Promise<void> {
  const { fanfare, tenant } = platform;
  const current = new Map<string, Post | undefined>();
  for (const id of ids) {
    const found = await fanfare.posts.get(tenant.business_id, id).catch(() => undefined);
    if (found && found.publish_results.length > 0) await untilTerminal(platform, id);
    if (found) await untilUnpublished(platform, id);
    current.set(id, found && (await readPost(platform, id)));
  }
  const events = await eventually(async () => {
    const all = await fanfare.events.list({ cursor: String(before), limit: 100 }).toArray();
    const last = new Map(all.map((event) => [idOf(event), event]));
    // The feed is complete when the newest event of each post has its revision, or is its end.
    const isWhole = ids.every((id) => {
      const post = current.get(id);
      const event = last.get(id);
      return post === undefined ? event?.type === 'post.deleted' : event !== undefined && sameState(event, post);
    });
    return isWhole && all;
  });
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => before + index + 1));
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);

  // `previous` leads from each event of a post to the one before. One change can be several events, with the same data.
  for (const id of ids) {
    const own = events.filter((event) => idOf(event) === id);
    expect(own.map(({ revision }) => revision)).toEqual(own.map(({ revision }) => revision).toSorted((a, b) => a - b));
    for (const [index, event] of own.entries()) {
      const isOfSameChange = ({ revision, data }: Event) =>
        revision === event.revision && JSON.stringify(data) === JSON.stringify(event.data);
      const former = own.slice(0, index).findLast((one) => !isOfSameChange(one));
      if (former) expect({ ...event.data, ...event.previous, updated_at: '' }).toEqual({ ...former.data, updated_at: '' });
    }
  }

  await eventually(async () => new Set((await bodiesOf(receiver)).map(({ id }) => id)).size === events.length);
  const sent = await bodiesOf(receiver);
  const inFeed = new Map(events.map((event) => [event.id, event]));
  for (const body of sent) expect(body).toEqual(inFeed.get(body.id));
  // In order per post; an event that was sent twice because its sender was killed counts once.
  for (const id of ids) {
    const order = [...new Set(sent.filter((event) => idOf(event) === id).map(({ sequence }) => sequence))];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  }
}

const sameState = ({ data }: Event, post: Post): boolean => JSON.stringify(sorted(data)) === JSON.stringify(sorted(asInEvents(post)));
const sorted = (value: object): unknown => Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
