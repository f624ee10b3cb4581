import { showPost } from '../posts/show-post.ts';
import { checkIntegrations } from '../targets/check-integrations.ts';
import { requestRemovals } from '../unpublishing/request-removals.ts';
import type { Rpc } from './rpc.ts';

export const unpublishPost: Rpc<'unpublishPost'> =
  (context) =>
  async (request, { metadata }) => {
    await checkIntegrations(context.db, metadata.businessId, request.restrictPublishToIntegrationIds);
    return { post: await showPost(context.db, await requestRemovals(context, metadata, request)) };
  };
