import { FanfareError, type CreatePost } from '@fanfare/sdk';
import { knownBy, type Known } from '../../src/agreement.ts';
import { anImage } from '../../src/an-image.ts';
import type { Platform } from '../../src/platform.ts';
import { publish, untilServed, untilTerminal, untilUnpublished } from '../../src/publish.ts';

/** Customers who create, schedule, publish and unpublish posts all the time, and repeat what fails because something is down. */
export interface Load {
  /** Waits until nothing is left to publish. */
  pause(): Promise<void>;
  resume(): void;
  /** Waits until nothing is left to do, and returns all posts. */
  end(): Promise<readonly Known[]>;
  /** How many posts were accepted so far. */
  count(): number;
}

const CUSTOMERS = 3;
/** The pause between two posts of a customer. */
const DELAY_MS = 1_000;

/** An outage may take longer than the time until which a post was to be scheduled: it is then not accepted. */
const isTooLate = (error: unknown): boolean => error instanceof FanfareError && error.param === 'scheduled_publish_time';

export async function startLoad(platform: Platform): Promise<Load> {
  const { fanfare, tenant } = platform;
  const media_ids = [await anImage(platform)];
  const posts: Known[] = [];
  const unpublishing: Promise<void>[] = [];
  let isOver = false;
  let number = 0;

  const create = (body: CreatePost) => {
    const idempotencyKey = crypto.randomUUID();
    return untilServed(() => fanfare.posts.create(tenant.business_id, body, { idempotencyKey }));
  };
  const schedule = async (body: CreatePost, inMs: number) => {
    const scheduled_publish_time = new Date(Date.now() + inMs).toISOString();
    return (await create({ ...body, status: 'SCHEDULED', scheduled_publish_time })).id;
  };
  const unpublish = async (id: string) => {
    const post = await untilTerminal(platform, id);
    const idempotencyKey = crypto.randomUUID();
    if (post.publish_results.some(({ status }) => status === 'success'))
      await untilServed(() => fanfare.posts.unpublish(tenant.business_id, id, {}, { idempotencyKey }));
  };
  /** Customers do not wait for it: while nothing is published, they would soon all wait, and no more posts would come. */
  const unpublishLater = async (body: CreatePost) => {
    const id = await publish(platform, body);
    const unpublished = unpublish(id);
    unpublished.catch(() => undefined);
    unpublishing.push(unpublished);
    return id;
  };
  /** In turn. */
  const kinds: ((body: CreatePost) => Promise<string>)[] = [
    (body) => publish(platform, body),
    (body) => schedule({ ...body, media_ids }, 1_500),
    (body) => publish(platform, { ...body, strategy: 'primary_first' }),
    (body) => schedule(body, 10_000),
    unpublishLater,
    (body) => publish(platform, { ...body, media_ids, strategy: 'all_or_nothing', restrict_publish_to: ['instagram', 'x', 'facebook'] }),
  ];

  async function customer(): Promise<void> {
    while (!isOver) {
      const caption = `Load ${++number}.`;
      const kind = kinds[number % kinds.length]!;
      const id = await kind({ caption, restrict_publish_to: ['x', 'facebook'] }).catch((error: unknown) => {
        if (!isTooLate(error)) throw error;
      });
      if (id) posts.push(knownBy(id, caption));
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    }
  }
  let customers: Promise<unknown> = Promise.resolve();
  const begin = () => {
    isOver = false;
    customers = Promise.all(Array.from({ length: CUSTOMERS }, customer));
    customers.catch(() => undefined);
  };
  begin();

  const pause = async () => {
    isOver = true;
    await customers;
    await Promise.all(unpublishing);
    for (const { id } of posts) await untilTerminal(platform, id);
  };
  return {
    count: () => posts.length,
    pause,
    resume: begin,
    async end() {
      await pause();
      for (const { id } of posts) await untilUnpublished(platform, id);
      return posts;
    },
  };
}
