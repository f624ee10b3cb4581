import type { LedgerProblem } from '@fanfare/contracts/timeline';
import type { Event, Post } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import type { Platform } from './platform.ts';
import { readPost } from './publish.ts';
import type { SandboxPost } from './sandbox.ts';

type Result = Post['publish_results'][number];

/** A post of a test, and how it is recognized on the platforms. */
export interface Known {
  readonly id: string;
  isIn(post: Pick<SandboxPost, 'text' | 'media'>): boolean;
}

/** A post that is recognized by its text, which no other post contains. */
export const knownBy = (id: string, text: string): Known => ({ id, isIn: (post) => post.text.includes(text) });

/** Where the platforms have it, without what they have rejected. */
export const copiesOf = (post: Pick<Known, 'isIn'>, sent: readonly SandboxPost[]): SandboxPost[] =>
  sent.filter((one) => one.state !== 'failed' && post.isIn(one));

/** How long what follows from a change by events may take: until then, a disagreement is none. */
const SOON_MS = 60_000;

/**
 * Compares what all sources report of posts whose publication has ended: the API, the publisher, timelines, the feed, a webhook endpoint, and the platforms.
 * @param posts all of the test's that were published or may have been
 * @param options.receiver the name of the sandbox's receiver of an endpoint for all events
 * @param options.after the sequence of the last event before the endpoint was created
 * @returns each disagreement in a sentence
 */
export async function disagreements(
  platform: Platform,
  posts: readonly Known[],
  { receiver, after = 0 }: { receiver?: string; after?: number } = {},
): Promise<string[]> {
  const accounts = await accountsOf(platform);
  const sent = await platform.sandbox.posts();
  const found: string[] = [];
  let events: Event[] = [];
  for (const known of posts) {
    found.push(
      ...(await untilAgreed(async () => {
        const post = await postOrNone(platform, known.id);
        const ofPost = () => events.filter((event) => idOf(event) === known.id);
        if (!isLast(ofPost().at(-1), post)) events = await feedOf(platform);
        if (!post) return inFeed(known.id, undefined, ofPost());
        const copies = copiesOf(known, sent);
        return [
          ...post.publish_results.flatMap((result) =>
            onPlatform(post, result, copies.filter(({ account_id }) => account_id === accounts.get(result.integration_id)).length),
          ),
          ...(copies.length > 0 && post.publish_results.length === 0
            ? [`Post ${post.id} was not sent, but ${copies.length} are there.`]
            : []),
          ...(await inPublisher(platform, post)),
          ...(await inTimeline(platform, post)),
          ...inFeed(post.id, post, ofPost()),
        ];
      })),
    );
  }
  events = await feedOf(platform);
  found.push(...gapsIn(events));
  if (receiver !== undefined) {
    const isSince = ({ sequence }: Event) => sequence > after;
    found.push(...(await untilAgreed(async () => atReceiver(platform, receiver, (await feedOf(platform)).filter(isSince)))));
  }
  found.push(...(await inLedgers(platform)));
  return found;
}

/** Repeats a check until it finds nothing, for as long as events may take. @returns what it found last */
async function untilAgreed(check: () => Promise<string[]>): Promise<string[]> {
  let last: string[] = [];
  await eventually(async () => {
    last = await check();
    return last.length === 0;
  }, SOON_MS).catch((error: unknown) => {
    if (last.length === 0) throw error;
  });
  return last;
}

const postOrNone = (platform: Platform, id: string): Promise<Post | undefined> => readPost(platform, id).catch(() => undefined);

async function accountsOf({ fanfare, tenant }: Platform): Promise<ReadonlyMap<string, string>> {
  const accounts = await fanfare.integrations.list(tenant.business_id).toArray();
  return new Map(accounts.map(({ id, account_id }) => [id, account_id]));
}

/** The platform has the post once, or not at all, as the result says. */
function onPlatform(post: Post, { platform, status, error_type, removal }: Result, copies: number): string[] {
  const is = `The post ${post.id} is on ${platform} ${copies} times`;
  if (removal?.status === 'pending') return [`The removal of ${post.id} from ${platform} has not ended.`];
  if (removal?.status === 'removed') return copies === 0 ? [] : [`${is}, but it was removed.`];
  switch (status) {
    case 'success':
      return copies === 1 ? [] : [`${is}, but its result is a success.`];
    case 'failed':
      if (error_type === 'unknown_outcome') return copies <= 1 ? [] : [`${is}.`];
      return copies === 0 ? [] : [`${is}, but its result is ${error_type}.`];
    default:
      return [`The result of ${post.id} on ${platform} is still ${status}.`];
  }
}

/** The result is that of the newest delivery to the account. */
async function inPublisher({ operator }: Platform, post: Post): Promise<string[]> {
  if (post.publish_results.length === 0) return [];
  const { deliveries } = await operator.publisher.inspectDeliveries({ deliveryId: undefined, postId: post.id }, operator.as());
  return post.publish_results.flatMap((result) => {
    const delivery = deliveries.findLast(({ integrationId }) => integrationId === result.integration_id);
    // It failed before anything was requested of the publisher.
    if (!delivery) return result.status === 'failed' && result.attempts === 0 ? [] : [`The publisher has no delivery of ${post.id}.`];
    const its = { status: delivery.status, publish_id: delivery.publishId ?? null, error_type: delivery.errorType ?? null };
    const reported = { status: result.status, publish_id: result.publish_id, error_type: result.error_type };
    return differ(`result of ${post.id} on ${result.platform}`, reported, `delivery`, its);
  });
}

/** The last word about each delivery is its result. */
async function inTimeline({ fanfare, tenant }: Platform, post: Post): Promise<string[]> {
  if (post.publish_results.length === 0) return [];
  const entries = await fanfare.posts.timeline(tenant.business_id, post.id, { limit: 100 }).toArray();
  return post.publish_results.flatMap(({ platform, integration_id, status, publish_id, error_type }) => {
    const last = entries.findLast(
      (entry) => entry.integration_id === integration_id && (entry.kind === 'published' || entry.kind === 'failed'),
    );
    if (!last) return status === 'failed' ? [] : [`The timeline of ${post.id} does not say what became of it on ${platform}.`];
    const details = last.details as { publish_id?: string | null; error_type?: string | null };
    const its = {
      status: last.kind === 'published' ? 'success' : 'failed',
      publish_id: details.publish_id ?? null,
      error_type: details.error_type ?? null,
    };
    return differ(`result of ${post.id} on ${platform}`, { status, publish_id, error_type }, 'timeline', its);
  });
}

const idOf = ({ data }: Event): string => ('id' in data ? String(data.id) : '');

const feedOf = ({ fanfare }: Platform): Promise<Event[]> => fanfare.events.list({ limit: 100 }).toArray();

/** The newest event has the post as it is, or is its end; each is about a newer revision than the one before, and `previous` leads back to it. */
function inFeed(id: string, post: Post | undefined, own: readonly Event[]): string[] {
  const found: string[] = [];
  const last = own.at(-1);
  if (!isLast(last, post))
    found.push(
      `The last event of ${id} in the feed is ${last ? `${last.type}, revision ${last.revision}` : 'none'}, and is not its state.`,
    );
  for (const [index, event] of own.entries()) {
    const before = own[index - 1];
    if (own.findIndex(({ type, revision }) => type === event.type && revision === event.revision) < index)
      found.push(`The feed has ${event.type} of ${id}, revision ${event.revision}, twice.`);
    if (before && before.revision > event.revision)
      found.push(`Event ${event.sequence} of ${id} has an older revision than the one before.`);
    // One change can be several events, with the same data.
    const isOfSameChange = ({ revision, data }: Event) => revision === event.revision && asText(data) === asText(event.data);
    const former = own.slice(0, index).findLast((one) => !isOfSameChange(one));
    const back = { ...event.data, ...event.previous };
    const asFormer = (data: Event['data']) => asText({ ...withoutPlace(data as Post), updated_at: '' });
    if (former && asFormer(back) !== asFormer(former.data))
      found.push(`\`previous\` of event ${event.sequence} of ${id} does not lead back.`);
  }
  return found;
}

function isLast(event: Event | undefined, post: Post | undefined): boolean {
  if (!post) return event?.type === 'post.deleted';
  return event !== undefined && asText(withoutPlace(event.data as Post)) === asText(withoutPlace(asInEvents(post)));
}

/** What events leave out. */
const asInEvents = ({ self: _, ...post }: Post): Omit<Post, 'self'> => ({
  ...post,
  media_details: post.media_details.map((media) => ({ ...media, description: '', transcript: '' })),
});

/** The place in a queue changes with the posts before it, which no event of this post reports. */
const withoutPlace = ({ queue, ...post }: Omit<Post, 'self'>): object => ({ ...post, queue: queue && { queue_id: queue.queue_id } });

const asText = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

function gapsIn(events: readonly Event[]): string[] {
  const first = events.find(({ sequence }, index) => sequence !== index + 1);
  const isTwice = new Set(events.map(({ id }) => id)).size < events.length;
  return [...(first ? [`The feed has a gap before event ${first.sequence}.`] : []), ...(isTwice ? ['The feed has an event twice.'] : [])];
}

/** Each event has arrived, as the feed has it, and those of a post in their order. One that was sent twice because its sender was killed counts once. */
async function atReceiver({ sandbox }: Platform, receiver: string, events: readonly Event[]): Promise<string[]> {
  const received = (await sandbox.webhooks(receiver)).map(({ body }) => JSON.parse(body) as Event);
  const ids = new Set(received.map(({ id }) => id));
  const missing = events.filter(({ id }) => !ids.has(id));
  const inFeed = new Map(events.map((event) => [event.id, event]));
  const changed = received.filter((event) => asText(event) !== asText(inFeed.get(event.id)));
  const lasts = new Map<string, number>();
  const disordered = [...new Map(received.map((event) => [event.id, event])).values()].filter((event) => {
    const last = lasts.get(idOf(event)) ?? 0;
    lasts.set(idOf(event), event.sequence);
    return event.sequence < last;
  });
  return [
    ...missing.map(({ sequence, type }) => `Event ${sequence}, ${type}, has not arrived at the webhook.`),
    ...changed.map(({ sequence, type }) => `Event ${sequence}, ${type}, arrived at the webhook with another body than in the feed.`),
    ...disordered.map(
      ({ sequence, type }) => `Event ${sequence}, ${type}, arrived at the webhook after a later one about the same resource.`,
    ),
  ];
}

/** As `admin ledger verify` checks them. */
async function inLedgers({ operator, tenant }: Platform): Promise<string[]> {
  const problems: (LedgerProblem & { service: string })[] = [];
  for (const service of ['content', 'publisher'] as const) {
    for (let pageToken: string | undefined; pageToken !== '';) {
      const request = { organizationId: tenant.organization_id, postId: undefined, pageToken: pageToken ?? '' };
      const page = await operator[service].verifyLedger(request, { ...operator.as(), timeoutMs: SOON_MS });
      problems.push(...page.problems.map((problem) => ({ service, ...problem })));
      pageToken = page.nextPageToken;
    }
  }
  return problems.map(
    ({ service, postId, position, problem, detail }) =>
      `Entry ${position} of ${postId} in the ledger of ${service} is ${problem}: ${detail}`,
  );
}

function differ(what: string, reported: object, whose: string, its: object): string[] {
  return asText(reported) === asText(its) ? [] : [`The ${what} is ${asText(reported)}, but the ${whose} says ${asText(its)}.`];
}
