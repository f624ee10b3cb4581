import { derivedId, now } from '@fanfare/runtime';
import { showPost } from '../posts/show-post.ts';
import { claimPost } from '../publishing/claim-post.ts';
import { checkIntegrations } from '../targets/check-integrations.ts';
import type { Rpc } from './rpc.ts';

export const publishPost: Rpc<'publishPost'> =
  (context) =>
  async (request, { metadata }) => {
    const { organizationId, businessId, flowId, actor, requestId } = metadata;
    await checkIntegrations(context.db, businessId, request.restrictPublishToIntegrationIds);
    const post = await claimPost(
      context,
      { organizationId, businessId, postId: request.postId, flowId, actor, requestId },
      {
        publicationId: request.publicationId,
        dueAt: now(organizationId),
        restriction: { platforms: request.restrictPublishTo, integrationIds: request.restrictPublishToIntegrationIds },
        confirmNotPublished: request.confirmNotPublished,
        deliveryId: (integrationId) => derivedId(request.publicationId, integrationId),
      },
      { ...request, metadata },
    );
    return { post: await showPost(context.db, post) };
  };
