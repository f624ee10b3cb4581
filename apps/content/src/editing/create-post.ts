import type { CreatePostRequest, Post } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { now, realTime } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { beginImport } from '../media/begin-import.ts';
import { overridesByIds } from '../media/given-urls.ts';
import { reserveMedia } from '../media/reserve-media.ts';
import { resolveMedia } from '../media/resolve-media.ts';
import { postsCreated } from '../metrics.ts';
import { showPost } from '../posts/show-post.ts';
import { findPostEvenIfDeleted, isDuplicatePost } from '../posts/store/posts.ts';
import { checkQueue } from '../queues/check-queue.ts';
import { placesOfPosts } from '../queues/places-of-posts.ts';
import { checkIntegrations } from '../targets/check-integrations.ts';
import { toPost } from '../posts/to-post.ts';
import { createdPost } from '../risks/created-post.ts';
import { checkOverrideAccounts } from '../targets/check-override-accounts.ts';
import { commitNewPost } from './commit-new-post.ts';
import { checkNewPost, newPost } from './rules/new-post.ts';

/** Creates the post. A repeated create returns the stored post. */
export async function createPost(context: Context, request: CreatePostRequest, call: Call): Promise<Post> {
  const { db } = context;
  const findFirst = () => findPostEvenIfDeleted(db, call.metadata, request.postId);
  // A repeat must not fetch media again. Without URLs, the insert detects it at a lower cost.
  const before = namesUrls(request) ? await findFirst() : null;
  if (before) return showPost(db, before);
  try {
    return await create(context, request, call);
  } catch (error) {
    // A repeat fails on the insert, or on something that has changed since the first call (the time has passed, media were deleted). It still
    // returns the stored post, and does not create it again if it was deleted.
    if (!isDuplicatePost(error) && !(error instanceof DomainError)) throw error;
    const first = await findFirst();
    if (!first) throw error;
    return showPost(db, first);
  }
}

async function create(context: Context, request: CreatePostRequest, call: Call): Promise<Post> {
  const { db } = context;
  const { metadata } = call;
  checkNewPost(request, now(metadata.organizationId));
  await checkIntegrations(db, metadata.businessId, request.restrictPublishToIntegrationIds);
  await checkOverrideAccounts(db, metadata.businessId, request.platformOverrides);
  await checkQueue(db, metadata, request.queueId);

  await using imported = await beginImport(context, request, call);
  const resolved = await resolveMedia(context, request, imported.id, call);
  const given = newPost(request, metadata, resolved, now(metadata.organizationId));
  const created = await createdPost(db, given, metadata);
  const { post } = created;

  const reservation = reserveMedia(context, metadata, { given: givenFields(request) });
  await reservation.reserve(post);
  await reservation.commit(() => commitNewPost(context, { ...created, imported }));

  postsCreated.inc({ status: post.status });
  if (post.next_due_at) for (const notify of context.afterSchedule) notify(realTime(post.organization_id, post.next_due_at));
  return toPost(post, [...created.risks], (await placesOfPosts(db, [post])).get(post._id));
}

const namesUrls = ({ mediaUrls, platformOverrides }: CreatePostRequest) =>
  mediaUrls.length > 0 || platformOverrides.some((override) => override.mediaUrls !== undefined);

const givenFields = (request: CreatePostRequest): string[] => [
  request.designId !== undefined ? 'design_id' : request.mediaUrls.length > 0 ? 'media_urls' : 'media_ids',
  'cover_media_id',
  'platform_overrides',
  ...overridesByIds(request),
];
