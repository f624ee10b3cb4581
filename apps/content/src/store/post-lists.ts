import type { PostStatus, Risk } from '@fanfare/contracts/content';
import { after, jsonBytes, pageWithin, parsePageToken, shortened, type Page, type Position } from '@fanfare/mongo';
import type { Db, Filter } from 'mongodb';
import { posts, type PostDocument } from './posts.ts';

export interface PostList {
  readonly organizationId: string;
  readonly businessId: string;
  /** None means every status. */
  readonly statuses: readonly PostStatus[];
  /** Only posts that wait for a time from here on. */
  readonly scheduledFrom: Date | undefined;
  /** Only posts that wait for a time before this. */
  readonly scheduledTo: Date | undefined;
  readonly pageSize: number;
  readonly pageToken: string;
}

/** A page of the posts that are not deleted, newest first. Every page costs what the first costs: see the test on the indexes. */
export async function listPosts(db: Db, list: PostList): Promise<Page<PostDocument>> {
  const { organizationId, businessId, pageSize, pageToken } = list;
  const statuses = statusesOf(list);
  const window = windowOf(list);
  const binding = bindingOf(list);
  const position = parsePageToken(pageToken, binding);
  if (window && statuses.length > 0 && !statuses.includes('POST_STATUS_SCHEDULED')) return { rows: [], nextPageToken: '' };

  const scope = { business_id: businessId, organization_id: organizationId };
  const filter: Filter<PostDocument> = window
    ? inWindow({ ...scope, scheduled_publish_time: window }, position)
    : { ...scope, deleted_at: { $exists: false }, ...(statuses.length > 0 && { status: { $in: statuses } }), ...after(position) };
  return pageWithin(posts(db).find(filter).sort({ created_at: -1, _id: -1 }), pageSize, binding, sizeOf);
}

/** The page of that list, cut where it is too large together with what puts its posts at risk. */
export function shortenList(page: Page<PostDocument>, list: PostList, risks: readonly Risk[][]): Page<PostDocument> {
  if (risks.every(({ length }) => length === 0)) return page;
  const sizes = page.rows.map((post, index) => sizeOf(post) + Buffer.byteLength(JSON.stringify(risks[index])));
  return shortened(page, bindingOf(list), sizes);
}

const statusesOf = ({ statuses }: PostList) => [...new Set(statuses)].sort();

function bindingOf(list: PostList): readonly unknown[] {
  return ['posts', list.organizationId, list.businessId, statusesOf(list), windowOf(list) ?? null];
}

/**
 * What waits for a time is scheduled and not deleted: neither is asked for, as it would have to be looked up in the posts themselves. For the
 * same reason the position is written as alternatives of the whole, each of which the keys of an index decide.
 */
function inWindow(window: Filter<PostDocument>, position: Position | undefined): Filter<PostDocument> {
  if (!position) return window;
  const { createdAt, id } = position;
  return {
    $or: [
      { ...window, created_at: { $lt: createdAt } },
      { ...window, created_at: createdAt, _id: { $lt: id } },
    ],
  };
}

function windowOf({ scheduledFrom, scheduledTo }: PostList): { $gte?: Date; $lt?: Date } | undefined {
  if (!scheduledFrom && !scheduledTo) return undefined;
  return { ...(scheduledFrom && { $gte: scheduledFrom }), ...(scheduledTo && { $lt: scheduledTo }) };
}

/** What an answer has around the values of a post: names, nulls, and the URLs of its pages. */
const AROUND = 2048;

/**
 * Bytes of a post in an answer, at most: as JSON, in which the URLs of its media stand twice. A post is written as JSON only as far as it holds
 * lists or long texts: doing so with each post takes as long as sending it.
 */
function sizeOf({ caption, link, review_note, media, metadata, platform_overrides, publish_results, ...rest }: PostDocument): number {
  const texts = jsonBytes(caption) + jsonBytes(link ?? '') + jsonBytes(review_note ?? '');
  const targets = rest.restrict_publish_to.length + rest.restrict_publish_to_integration_ids.length;
  const lists = [media, media.map(({ url }) => url), metadata, platform_overrides, publish_results, rest.at_risk ?? []];
  return AROUND + texts + targets * TARGET + lists.reduce((bytes, list) => bytes + bytesOf(list), 0);
}

/** A platform's name or an account's id, quoted. */
const TARGET = 64;

const bytesOf = (list: readonly unknown[]): number => (list.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(list)));
