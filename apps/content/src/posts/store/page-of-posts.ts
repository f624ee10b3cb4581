import { setImmediate } from 'node:timers/promises';
import type { ListPostsRequest, ListPostsResponse, Risk } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { isWaiting, NO_RISK_SOURCES, risksOf, type RiskSources } from '../../preflight/risks-of.ts';
import { keysFor } from '../../targets/target-keys.ts';
import type { PostDocument } from '../post.ts';
import { readRiskSources } from '../risk-sources.ts';
import { listPosts as list, type Look, type PostList } from './post-lists.ts';
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
  // What puts a post at risk is found at each reading: posts that wait are looked at one by one.
  const look = async (post: PostDocument): Promise<Look> => {
    const found = risksOf(post, isWaiting(post) ? await sources() : NO_RISK_SOURCES);
    risks.set(post._id, found);
    // Counting a very long text takes a while, and others wait meanwhile.
    if (isWaiting(post)) await setImmediate();
    const isListed = request.atRisk === undefined || request.atRisk === found.length > 0;
    return { isListed, bytes: found.length > 0 ? Buffer.byteLength(JSON.stringify(found)) : 0 };
  };
  // Nothing but what is scheduled is at risk.
  if (request.atRisk && !query.statuses.includes('POST_STATUS_SCHEDULED')) return { posts: [], nextPageToken: '' };
  const { rows, nextPageToken } = await list(db, query, look);
  return { posts: rows.map((post) => toPost(post, risks.get(post._id) ?? [])), nextPageToken };
}

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

/** Those of the business, as soon as anybody needs them. */
function sourcesOf(db: Db, businessId: string): () => Promise<RiskSources> {
  let found: Promise<RiskSources> | undefined;
  return () => (found ??= readRiskSources(db, businessId));
}

async function queryOf(
  request: ListPostsRequest,
  { organizationId, businessId }: Scope,
  sources: () => Promise<RiskSources>,
): Promise<PostList> {
  const { pageSize, pageToken, statuses, publishStatuses, sort, scheduledFrom, scheduledTo, platform, integrationId, atRisk } = request;
  if (scheduledFrom && scheduledTo && scheduledFrom > scheduledTo) {
    throw new DomainError('invalid_request', 'scheduled_to must not be before scheduled_from.', { param: 'scheduled_to' });
  }
  const words = request.query === undefined ? [] : wordsOf(request.query);
  if (request.query !== undefined && words.length === 0) {
    throw new DomainError('invalid_value', 'q contains no word to search for.', { param: 'q' });
  }
  const isTargeted = platform !== undefined || integrationId !== undefined;
  const shared = { organizationId, businessId, pageSize, pageToken, publishStatuses, sort, scheduledFrom, scheduledTo, words };
  return {
    ...shared,
    statuses: atRisk && (statuses.length === 0 || statuses.includes('POST_STATUS_SCHEDULED')) ? ['POST_STATUS_SCHEDULED'] : statuses,
    targetKeys: isTargeted ? keysFor({ platform, integrationId }, (await sources()).integrations) : undefined,
    isPicky: atRisk !== undefined,
    binding: [platform ?? null, integrationId ?? null, atRisk ?? null],
  };
}
