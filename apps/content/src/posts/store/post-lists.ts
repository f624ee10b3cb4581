import type { PostSort, PostStatus, PublishStatus } from '@fanfare/contracts/content';
import { jsonBytes, pageToken, parsePageToken, type Page } from '@fanfare/mongo';
import type { Db } from 'mongodb';
import type { PostDocument } from '../post.ts';
import { planOf, type ListPlan } from './post-list-plan.ts';
import { NOT_SHOWN, posts } from './posts.ts';

export interface PostList {
  readonly organizationId: string;
  readonly businessId: string;
  /** None means every status. */
  readonly statuses: readonly PostStatus[];
  /** Only posts that wait for a time from here on. */
  readonly scheduledFrom: Date | undefined;
  /** Only posts that wait for a time before this. */
  readonly scheduledTo: Date | undefined;
  /** None means that it does not matter how publishing went. */
  readonly publishStatuses?: readonly PublishStatus[];
  /** Only posts with one of these; undefined means any. See `keysFor`. */
  readonly targetKeys?: readonly string[] | undefined;
  /** Only posts that have all of these. */
  readonly words?: readonly string[];
  /** Created last first, unless it says otherwise. */
  readonly sort?: PostSort;
  /** Whether `look` may leave posts out. */
  readonly isPicky?: boolean;
  /** What else the list was asked for: a token works for the same alone. */
  readonly binding?: readonly unknown[];
  readonly pageSize: number;
  readonly pageToken: string;
}

/** What is known of a post only when it is looked at. */
export interface Look {
  /** Whether the list has it. */
  readonly isListed: boolean;
  /** What it takes in the response beside itself. */
  readonly bytes: number;
}

/** Posts that are looked at for one page, at most: where few fit the filters, it ends early, with a token. */
export const MOST_LOOKED_AT = 1_000;
/** Read at once, where some are passed over. */
const BATCH = 101;
/** What a page of a response holds at most, less what may stand around its rows. */
const PAGE_BYTES = (2 << 20) - (64 << 10);

/**
 * A page of the posts that are not deleted. Every page costs what the first costs: see the test on the indexes. Of several filters one finds the
 * posts, in their order, and the others are asked of each.
 * @param look asked of each post that fits all filters, in the order of the list
 */
export async function listPosts(
  db: Db,
  list: PostList,
  look: (post: PostDocument) => Promise<Look> | Look = () => ({ isListed: true, bytes: 0 }),
): Promise<Page<PostDocument>> {
  const binding = bindingOf(list);
  const plan = planOf(list, parsePageToken(list.pageToken, binding));
  if (!plan) return { rows: [], nextPageToken: '' };
  const tokenAfter = (post: PostDocument) => pageToken({ createdAt: post[plan.field] ?? post.created_at, id: post._id }, binding);

  const rows: PostDocument[] = [];
  let bytes = 0;
  let looked = 0;
  const cursor = find(db, plan, list);
  try {
    while (await cursor.hasNext()) {
      for (const post of cursor.readBufferedDocuments()) {
        looked++;
        const seen = plan.fits(post) ? await look(post) : undefined;
        if (seen?.isListed) {
          const last = rows.at(-1);
          bytes += sizeOf(post) + seen.bytes;
          if (last && (rows.length === list.pageSize || bytes > PAGE_BYTES)) return { rows, nextPageToken: tokenAfter(last) };
          rows.push(post);
        }
        if (looked === MOST_LOOKED_AT) return { rows, nextPageToken: tokenAfter(post) };
      }
    }
    return { rows, nextPageToken: '' };
  } finally {
    await cursor.close();
  }
}

function find(db: Db, { filter, sort, index, isSifted }: ListPlan, { pageSize, isPicky = false }: PostList) {
  const found = posts(db).find(filter).sort(sort);
  const hinted = index === undefined ? found : found.hint(index);
  if (isSifted) return hinted.batchSize(BATCH);
  const shown = hinted.project<PostDocument>(NOT_SHOWN);
  return isPicky ? shown.batchSize(BATCH) : shown.limit(pageSize + 1).batchSize(pageSize + 1);
}

function bindingOf(list: PostList): readonly unknown[] {
  const { organizationId, businessId, statuses, scheduledFrom, scheduledTo, publishStatuses = [], words = [], sort, binding = [] } = list;
  const sets = [statuses, publishStatuses, words].map((set) => [...new Set(set)].sort());
  return ['posts', organizationId, businessId, ...sets, scheduledFrom ?? null, scheduledTo ?? null, sort ?? null, ...binding];
}

/** What a response has around the values of a post: names, nulls, and the URLs of its pages. */
const AROUND = 2048;

/** A platform's name or an account's id, quoted. */
const TARGET = 64;

/**
 * Bytes of a post in a response, at most: as JSON, in which the URLs of its media stand twice. A post is written as JSON only as far as it holds
 * lists or long texts: doing so with each post takes as long as sending it.
 */
function sizeOf(post: PostDocument): number {
  const { caption, link = '', review_note = '', media, metadata, platform_overrides, publish_results, at_risk = [] } = post;
  const targets = post.restrict_publish_to.length + post.restrict_publish_to_integration_ids.length;
  let bytes = AROUND + targets * TARGET + jsonBytes(caption) + jsonBytes(link) + jsonBytes(review_note);
  for (const { key, value } of metadata) bytes += jsonBytes(key) + jsonBytes(value) + 2;
  if (media.length > 0) bytes += bytesOf(media.map(({ url }) => url));
  for (const list of [media, platform_overrides, publish_results, at_risk]) if (list.length > 0) bytes += bytesOf(list);
  return bytes;
}

const bytesOf = (list: readonly unknown[]): number => Buffer.byteLength(JSON.stringify(list));
