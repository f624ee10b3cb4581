import { randomUUID } from 'node:crypto';
import type { Target } from './load/run-load.ts';

/** The target, and ids that exist there. */
export interface Side {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly businessId: string;
  /** Existing posts, read in turn. */
  readonly postIds: readonly string[];
  /** An account whose statistics were read a moment ago. */
  readonly integrationId: string;
}

/** One request of a repeated operation: the same for the baseline and for us. */
export type Operation = (side: Side) => Target;

export const getPost: Operation = (side) => {
  let at = 0;
  return read(side, () => `/posts/${side.postIds[at++ % side.postIds.length]}`);
};

export const getBusiness: Operation = (side) => read(side, () => '');

export const getStats: Operation = (side) => read(side, () => `/integrations/${side.integrationId}/stats`);

export const listPosts =
  (limit: number): Operation =>
  (side) =>
    read(side, () => `/posts?limit=${limit}`);

export const createDraft: Operation = (side) => create(side, draft, () => side.headers);

export const createScheduled: Operation = (side) => create(side, { ...draft, status: 'SCHEDULED', ...inAWeek() }, () => side.headers);

export const createWithKey: Operation = (side) => create(side, draft, () => ({ ...side.headers, 'idempotency-key': randomUUID() }));

/** What a customer's software would send. */
export const draft = {
  caption:
    'Fresh croissants from seven, and the first espresso is on the house until nine. Come by, bring a friend, and tell us which of the two ' +
    'new sourdoughs should stay on the shelf. See you at the corner of Lark Street! ☕🥐',
  status: 'DRAFT',
  link: 'https://example.com/breakfast?utm_source=fanfare',
  metadata: { campaign: 'spring', author: 'planner', brief: '2026-W14/3' },
};

/** Nothing becomes due while we measure. */
const inAWeek = () => ({ scheduled_publish_time: new Date(Date.now() + 7 * 24 * 3_600_000).toISOString() });

function read({ baseUrl, headers, businessId }: Side, path: () => string): Target {
  return {
    origin: baseUrl,
    request: () => ({ method: 'GET', path: `/api/businesses/${businessId}${path()}`, headers }),
  };
}

function create({ baseUrl, businessId }: Side, body: object, headers: () => Record<string, string>): Target {
  const json = JSON.stringify(body);
  const path = `/api/businesses/${businessId}/posts`;
  return {
    origin: baseUrl,
    request: () => ({ method: 'POST', path, headers: { ...headers(), 'content-type': 'application/json' }, body: json }),
  };
}
