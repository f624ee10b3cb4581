import { setImmediate } from 'node:timers/promises';
import type { ListPostsRequest, ListPostsResponse, Risk } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { NO_RISK_SOURCES, risksOf, type RiskSources } from '../../preflight/risks-of.ts';
import { placesOfPosts } from '../../queues/places-of-posts.ts';
import { isWaiting } from '../../targets/is-waiting.ts';
import { keysFor } from '../../targets/target-keys.ts';
import type { PostDocument } from '../post.ts';
import { readRiskSources, risksOfWaiting } from '../current-risks.ts';
import { listPosts as list, type Inspection, type PostList } from './post-lists.ts';
import { toPost } from '../to-post.ts';
import { wordsOf } from '../words.ts';

/**
 * A page of a list of posts, as callers see them.
 * @throws DomainError invalid_request, invalid_value
 */
export async function pageOfPosts(db: Db, scope: Scope, request: ListPostsRequest): Promise<ListPostsResponse> {
  const sources = sourcesOf(db, scope.businessId);
  const query = await queryOf(request, scope, sources);
  const risks = new Map<string, Risk[]>();
  // Risks are computed at each read, for each waiting post: those that a post notes may have ended.
  const inspect = async (post: PostDocument): Promise<Inspection> => {
    const found = isWaiting(post) ? await risksOfWaiting(db, post, await sources()) : risksOf(post, NO_RISK_SOURCES);
    risks.set(post._id, found);
    // Counting a very long text takes long: let other requests run in between.
    if (isWaiting(post)) await setImmediate();
    const isListed = request.atRisk === undefined || request.atRisk === found.length > 0;
    return { isListed, bytes: found.length > 0 ? Buffer.byteLength(JSON.stringify(found)) : 0 };
  };
  const { rows, nextPageToken } = await list(db, query, inspect);
  const places = await placesOfPosts(db, rows);
  return { posts: rows.map((post) => toPost(post, risks.get(post._id) ?? [], places.get(post._id))), nextPageToken };
}

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

/** The risk sources of the business, read when they are first needed. */
function sourcesOf(db: Db, businessId: string): () => Promise<RiskSources> {
  let found: Promise<RiskSources> | undefined;
  return () => (found ??= readRiskSources(db, businessId, true));
}

async function queryOf(
  request: ListPostsRequest,
  { organizationId, businessId }: Scope,
  sources: () => Promise<RiskSources>,
): Promise<PostList> {
  const {
    pageSize,
    pageToken,
    statuses,
    publishStatuses,
    sort,
    scheduledFrom,
    scheduledTo,
    platform,
    integrationId,
    atRisk,
    seriesId,
    queueId,
  } = request;
  if (scheduledFrom && scheduledTo && scheduledFrom > scheduledTo) {
    throw new DomainError('invalid_request', 'scheduled_to must not be before scheduled_from.', { param: 'scheduled_to' });
  }
  const words = request.query === undefined ? [] : wordsOf(request.query);
  if (request.query !== undefined && words.length === 0) {
    throw new DomainError('invalid_value', 'q contains no word to search for.', { param: 'q' });
  }
  const isTargeted = platform !== undefined || integrationId !== undefined;
  const shared = {
    organizationId,
    businessId,
    pageSize,
    pageToken,
    publishStatuses,
    sort,
    scheduledFrom,
    scheduledTo,
    words,
    seriesId,
    queueId,
  };
  return {
    ...shared,
    statuses,
    isAtRisk: atRisk === true,
    targetKeys: isTargeted ? keysFor({ platform, integrationId }, (await sources()).integrations) : undefined,
    isInspected: atRisk !== undefined,
    binding: [platform ?? null, integrationId ?? null, atRisk ?? null, seriesId ?? null, queueId ?? null],
  };
}
