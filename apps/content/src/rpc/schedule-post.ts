import { now } from '@fanfare/runtime';
import { changePost } from '../editing/change-post.ts';
import { checkSchedulePost, schedulePost as schedule } from '../editing/rules/schedule-post.ts';
import { checkIntegrations } from '../targets/check-integrations.ts';
import type { Rpc } from './rpc.ts';

export const schedulePost: Rpc<'schedulePost'> =
  (context) =>
  async (request, { metadata }) => {
    checkSchedulePost(request, now(metadata.organizationId));
    await checkIntegrations(context.db, metadata.businessId, request.restrictPublishToIntegrationIds);
    return { post: await changePost(context, metadata, request, schedule(request)) };
  };
