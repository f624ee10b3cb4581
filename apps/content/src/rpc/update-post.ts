import { now } from '@fanfare/runtime';
import { checkUpdate, updatePost as update } from '../editing/update-post.ts';
import { withMedia } from '../media/with-media.ts';
import { findPostEvenIfDeleted } from '../posts/store/posts.ts';
import { changeable, changePost } from '../editing/change-post.ts';
import { checkIntegrations } from '../targets/check-integrations.ts';
import { checkOverrideAccounts } from '../targets/check-override-accounts.ts';
import type { Rpc } from './rpc.ts';
import { showPost } from '../posts/show-post.ts';

export const updatePost: Rpc<'updatePost'> = (context) => async (request, call) => {
  const { db } = context;
  const { metadata } = call;
  checkUpdate(request, now(metadata.organizationId));
  await checkIntegrations(db, metadata.businessId, request.restrictPublishToIntegrationIds);
  await checkOverrideAccounts(db, metadata.businessId, request.platformOverrides);
  // Nothing is fetched for a post that cannot be changed; once fetched, it is asked again in the transaction.
  const { kind, post } = changeable(await findPostEvenIfDeleted(db, metadata, request.postId), request);
  if (kind === 'repeat') return { post: await showPost(context.db, post) };
  return withMedia(context, request, call, (resolved, settle) => changePost(context, metadata, request, update(request, resolved), settle));
};
