import type { PostSort } from '@fanfare/contracts/content';
import type { Position } from '@fanfare/mongo';
import type { Filter } from 'mongodb';
import { queueKey } from '../../queues/queue-key.ts';
import { seriesKey } from '../../series/series-content.ts';
import type { PostDocument } from '../post.ts';
import type { PostList } from './post-lists.ts';

/** How the posts of a list are found. */
export interface ListPlan {
  /** The conditions that the index covers. */
  readonly filter: Filter<PostDocument>;
  /** Passed as a hint, because the planner may choose an index that is good for the first page only; undefined if any choice is good. */
  readonly index: string | undefined;
  readonly field: TimeField;
  readonly sort: Record<string, 1 | -1>;
  /** Whether posts must be checked with `fits`. */
  readonly isSifted: boolean;
  fits(post: PostDocument): boolean;
}

type TimeField = 'created_at' | 'scheduled_publish_time' | 'published_at';

const SORTS: Readonly<Record<PostSort, readonly [TimeField, 1 | -1]>> = {
  POST_SORT_UNSPECIFIED: ['created_at', -1],
  POST_SORT_CREATED_FIRST: ['created_at', 1],
  POST_SORT_SCHEDULED_FIRST: ['scheduled_publish_time', 1],
  POST_SORT_SCHEDULED_LAST: ['scheduled_publish_time', -1],
  POST_SORT_PUBLISHED_FIRST: ['published_at', 1],
  POST_SORT_PUBLISHED_LAST: ['published_at', -1],
};

/** A filter of a list, as a query on an index and as a check of a post. */
interface Condition {
  readonly index: string;
  readonly filter: Filter<PostDocument>;
  fits(post: PostDocument): boolean;
}

/** @returns undefined if no post can match */
export function planOf(list: PostList, position: Position | undefined): ListPlan | undefined {
  const window = windowOf(list);
  if (window && list.statuses.length > 0 && !list.statuses.includes('POST_STATUS_SCHEDULED')) return undefined;
  if (list.targetKeys?.length === 0) return undefined;
  const [field, direction] = SORTS[list.sort ?? 'POST_SORT_UNSPECIFIED'];
  // A published post has no scheduled time.
  if (window && field === 'published_at') return undefined;
  // The condition that probably matches the fewest posts first.
  const conditions = [
    keyCondition(list.seriesId, seriesKey),
    keyCondition(list.queueId, queueKey),
    wordCondition(list),
    publishCondition(list),
    targetCondition(list),
    statusCondition(list),
  ].filter((one) => !!one);
  const scope = { business_id: list.businessId, organization_id: list.organizationId };
  const sort = { [field]: direction, _id: direction };
  const order = { field, sort };

  if (list.isAtRisk && field !== 'published_at') {
    const filter = {
      ...scope,
      deleted_at: { $exists: false },
      ...RISKY,
      ...(field === 'created_at' ? {} : { [field]: { $exists: true } }),
    };
    const index = field === 'created_at' ? 'at_risk' : 'at_risk_by_scheduled';
    const others = [...conditions, windowCondition(window)].filter((one) => !!one);
    return { ...order, filter: { $and: [filter, beyond(field, position, direction)] }, index, ...sift(others) };
  }
  if (window) {
    const filter = field === 'created_at' ? inWindow({ ...scope, scheduled_publish_time: window }, position, direction) : undefined;
    const index = filter ? undefined : 'by_scheduled';
    const bounded = filter ?? { ...scope, $and: [{ scheduled_publish_time: window }, beyond(field, position, direction)] };
    return { ...order, filter: bounded, index, ...sift(conditions.filter(({ index: name }) => name !== 'list_status')) };
  }
  if (field !== 'created_at') {
    const exists = { ...scope, deleted_at: { $exists: false }, [field]: { $exists: true } };
    const filter = { $and: [exists, beyond(field, position, direction)] };
    const index = field === 'published_at' ? 'by_published' : 'by_scheduled';
    return { ...order, filter, index, ...sift([...conditions, riskCondition(list)].filter((one) => !!one)) };
  }
  const [first, ...others] = conditions;
  const filter = { ...scope, deleted_at: { $exists: false }, ...first?.filter, ...beyond(field, position, direction) };
  return {
    ...order,
    filter,
    index: first?.index ?? 'list',
    ...sift(list.words && list.words.length > 1 && first ? [first, ...others] : others),
  };
}

const sift = (conditions: readonly Condition[]) => ({
  isSifted: conditions.length > 0,
  fits: (post: PostDocument) => conditions.every(({ fits }) => fits(post)),
});

/** Few posts note a risk, so that it selects them in every order that has an index for them; the other filters are checked on each. */
const RISKY: Filter<PostDocument> = { risks_told: { $exists: true } };

function riskCondition({ isAtRisk = false }: PostList): Condition | undefined {
  return isAtRisk ? { index: 'at_risk', filter: RISKY, fits: ({ risks_told }) => risks_told !== undefined } : undefined;
}

function windowCondition(window: ReturnType<typeof windowOf>): Condition | undefined {
  if (!window) return undefined;
  const { $gte: from = new Date(0), $lt: to } = window;
  const fits = ({ scheduled_publish_time: at }: PostDocument) => at !== undefined && at >= from && (to === undefined || at < to);
  return { index: 'by_scheduled', filter: { scheduled_publish_time: window }, fits };
}

/** The index finds the longest word, because it probably matches the fewest posts; the other words are checked in each post. */
function wordCondition({ words = [] }: PostList): Condition | undefined {
  const longest = words.toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined) return undefined;
  return { index: 'words', filter: { words: longest }, fits: (post) => words.every((word) => post.words?.includes(word)) };
}

function publishCondition({ publishStatuses = [] }: PostList): Condition | undefined {
  if (publishStatuses.length === 0) return undefined;
  const isOne = new Set<unknown>(publishStatuses);
  const filter = { publish_status: { $in: [...publishStatuses] } };
  return { index: 'publish_status', filter, fits: ({ publish_status }) => isOne.has(publish_status) };
}

function targetCondition({ targetKeys }: PostList): Condition | undefined {
  if (!targetKeys) return undefined;
  const fits = ({ target_keys = [] }: PostDocument) => target_keys.some((key) => targetKeys.includes(key));
  return { index: 'targets', filter: { target_keys: { $in: [...targetKeys] } }, fits };
}

/** A series or a queue. */
function keyCondition(id: string | undefined, keyOf: (id: string) => string): Condition | undefined {
  if (id === undefined) return undefined;
  const key = keyOf(id);
  return { index: 'targets', filter: { target_keys: key }, fits: ({ target_keys = [] }) => target_keys.includes(key) };
}

function statusCondition({ statuses }: PostList): Condition | undefined {
  if (statuses.length === 0) return undefined;
  const isOne = new Set<unknown>(statuses);
  return {
    index: 'list_status',
    filter: { status: { $in: [...isOne] as PostDocument['status'][] } },
    fits: ({ status }) => isOne.has(status),
  };
}

/** Matches what comes after a position. The first part bounds the index range, so that the last page costs what the first one costs. */
function beyond(field: TimeField, position: Position | undefined, direction: 1 | -1): Filter<PostDocument> {
  if (!position) return {};
  const { createdAt: at, id } = position;
  return direction === -1
    ? { [field]: { $lte: at }, $or: [{ [field]: { $lt: at } }, { _id: { $lt: id } }] }
    : { [field]: { $gte: at }, $or: [{ [field]: { $gt: at } }, { _id: { $gt: id } }] };
}

/**
 * A post with a scheduled time is scheduled and not deleted. The filter does not contain these two conditions, because MongoDB would have to load each post
 * to check them. For the same reason the position is written as alternatives of the whole filter, each of which an index decides.
 */
function inWindow(window: Filter<PostDocument>, position: Position | undefined, direction: 1 | -1): Filter<PostDocument> {
  if (!position) return window;
  const { createdAt, id } = position;
  const past = direction === -1 ? '$lt' : '$gt';
  return {
    $or: [
      { ...window, created_at: { [past]: createdAt } },
      { ...window, created_at: createdAt, _id: { [past]: id } },
    ],
  };
}

function windowOf({ scheduledFrom, scheduledTo }: PostList): { $gte?: Date; $lt?: Date } | undefined {
  if (!scheduledFrom && !scheduledTo) return undefined;
  return { ...(scheduledFrom && { $gte: scheduledFrom }), ...(scheduledTo && { $lt: scheduledTo }) };
}
