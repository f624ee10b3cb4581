import type { PostSort, PostStatus, PublishStatus } from '@fanfare/contracts/content';
import { jsonBytes, pageToken, parsePageToken, type Page } from '@fanfare/mongo';
import type { Db } from 'mongodb';
import type { PostDocument } from '../post.ts';
import { planOf, type ListPlan } from './post-list-plan.ts';
import { NOT_SHOWN, posts } from './posts.ts';

export interface PostList {
  readonly organizationId: string;
  readonly businessId: string;
  /** Empty means every status. */
  readonly statuses: readonly PostStatus[];
  /** Only posts that are scheduled for this time or later. */
  readonly scheduledFrom: Date | undefined;
  /** Only posts that are scheduled for a time before this. */
  readonly scheduledTo: Date | undefined;
  /** Empty means any publish status, or none. */
  readonly publishStatuses?: readonly PublishStatus[];
  /** Only posts with at least one of these; undefined means any. See `keysFor`. */
  readonly targetKeys?: readonly string[] | undefined;
  /** Only posts of this series. */
  readonly seriesId?: string | undefined;
  /** Only posts that note a risk. Whether they still have it is for `inspect` to find out. */
  readonly isAtRisk?: boolean;
  /** Only posts in this queue. */
  readonly queueId?: string | undefined;
  /** Only posts that contain all of these. */
  readonly words?: readonly string[];
  /** Default: newest first, by the time of creation. */
  readonly sort?: PostSort;
  /** Whether `inspect` may leave posts out. */
  readonly isInspected?: boolean;
  /** Further parameters of the list: a page token is valid only for the same parameters. */
  readonly binding?: readonly unknown[];
  readonly pageSize: number;
  readonly pageToken: string;
}

/** What is computed of a post while it is listed. */
export interface Inspection {
  /** Whether the post is in the list. */
  readonly isListed: boolean;
  /** What its response contains in addition to the post. */
  readonly bytes: number;
}

/** The most posts that are read for one page. If few of them match the filters, the page ends early, with a page token. */
export const MAX_INSPECTED = 1_000;
/** Batch size if not every post that is read is listed. */
const BATCH = 101;
/** The size limit of a page, less the response around its rows. */
export const PAGE_BYTES = (2 << 20) - (64 << 10);

/**
 * A page of the posts that are not deleted. Every page costs what the first one costs (see the test of the indexes). One of several filters finds the posts
 * in their order, and the others are checked on each post.
 * @param inspect called for each post that matches all filters, in the order of the list
 */
export async function listPosts(
  db: Db,
  list: PostList,
  inspect: (post: PostDocument) => Promise<Inspection> | Inspection = () => ({ isListed: true, bytes: 0 }),
): Promise<Page<PostDocument>> {
  const binding = bindingOf(list);
  const plan = planOf(list, parsePageToken(list.pageToken, binding));
  if (!plan) return { rows: [], nextPageToken: '' };
  const tokenAfter = (post: PostDocument) => pageToken({ createdAt: post[plan.field] ?? post.created_at, id: post._id }, binding);

  const rows: PostDocument[] = [];
  let bytes = 0;
  let inspected = 0;
  const cursor = find(db, plan, list);
  try {
    while (await cursor.hasNext()) {
      for (const post of cursor.readBufferedDocuments()) {
        inspected++;
        const inspection = plan.fits(post) ? await inspect(post) : undefined;
        if (inspection?.isListed) {
          const last = rows.at(-1);
          bytes += sizeOf(post) + inspection.bytes;
          if (last && (rows.length === list.pageSize || bytes > PAGE_BYTES)) return { rows, nextPageToken: tokenAfter(last) };
          rows.push(post);
        }
        if (inspected === MAX_INSPECTED) return { rows, nextPageToken: tokenAfter(post) };
      }
    }
    return { rows, nextPageToken: '' };
  } finally {
    await cursor.close();
  }
}

function find(db: Db, { filter, sort, index, isSifted }: ListPlan, { pageSize, isInspected = false }: PostList) {
  const found = posts(db).find(filter).sort(sort);
  const hinted = index === undefined ? found : found.hint(index);
  if (isSifted) return hinted.batchSize(BATCH);
  const shown = hinted.project<PostDocument>(NOT_SHOWN);
  return isInspected ? shown.batchSize(BATCH) : shown.limit(pageSize + 1).batchSize(pageSize + 1);
}

function bindingOf(list: PostList): readonly unknown[] {
  const { organizationId, businessId, statuses, scheduledFrom, scheduledTo, publishStatuses = [], words = [], sort, binding = [] } = list;
  const sets = [statuses, publishStatuses, words].map((set) => [...new Set(set)].sort());
  return ['posts', organizationId, businessId, ...sets, scheduledFrom ?? null, scheduledTo ?? null, sort ?? null, ...binding];
}

/** Bytes of a response in addition to the values of a post: names, nulls, and the URLs of its pages. */
const AROUND = 2048;

/** Bytes of a quoted platform name or account id. */
const TARGET = 64;

/**
 * Upper bound of the bytes of a post in a response, as JSON that contains the URLs of its media twice. Only lists and long texts are serialized, because
 * serializing every post would take as long as sending it.
 */
export function sizeOf(post: PostDocument): number {
  const { caption, link = '', review_note = '', media, metadata, platform_overrides, publish_results, at_risk = [] } = post;
  const targets = post.restrict_publish_to.length + post.restrict_publish_to_integration_ids.length;
  let bytes = AROUND + targets * TARGET + jsonBytes(caption) + jsonBytes(link) + jsonBytes(review_note);
  for (const { key, value } of metadata) bytes += jsonBytes(key) + jsonBytes(value) + 2;
  if (media.length > 0) bytes += bytesOf(media.map(({ url }) => url));
  for (const list of [media, platform_overrides, publish_results, at_risk]) if (list.length > 0) bytes += bytesOf(list);
  return bytes;
}

const bytesOf = (list: readonly unknown[]): number => Buffer.byteLength(JSON.stringify(list));
