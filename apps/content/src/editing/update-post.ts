import type { Post, UpdatePostRequest } from '@fanfare/contracts/content';
import type { Call } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { beginImport } from '../media/begin-import.ts';
import { resolveMedia } from '../media/resolve-media.ts';
import { showPost } from '../posts/show-post.ts';
import { findPostEvenIfDeleted } from '../posts/store/posts.ts';
import { checkQueue } from '../queues/check-queue.ts';
import { checkIntegrations } from '../targets/check-integrations.ts';
import { checkOverrideAccounts } from '../targets/check-override-accounts.ts';
import { changeable, changePost } from './change-post.ts';
import { onlyEndsSeries } from './rules/edit-series.ts';
import { checkUpdate, updatePost as updated } from './rules/update-post.ts';

/** Changes the fields of a post, and fetches the media that the request gives by URL. A repeated update returns the stored post. */
export async function updatePost(context: Context, request: UpdatePostRequest, call: Call): Promise<Post> {
  const { db } = context;
  const { metadata } = call;
  checkUpdate(request, now(metadata.organizationId));
  await checkIntegrations(db, metadata.businessId, request.restrictPublishToIntegrationIds);
  await checkOverrideAccounts(db, metadata.businessId, request.platformOverrides);
  await checkQueue(db, metadata, request.queueId);
  // Checked before media are fetched, and again in the transaction.
  const change = { ...request, mayBePublishing: onlyEndsSeries(request) };
  const { kind, post } = changeable(await findPostEvenIfDeleted(db, metadata, request.postId), change);
  if (kind === 'repeat') return showPost(db, post);

  await using imported = await beginImport(context, request, call);
  const resolved = await resolveMedia(context, request, imported.id, call);
  // The await is necessary: `imported` must be disposed of after the commit.
  return await changePost(context, metadata, change, updated(request, resolved), imported);
}
