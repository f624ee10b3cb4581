import type { AdminServiceService, Feedback } from '@fanfare/contracts/gateway';
import type { Handlers } from '@fanfare/rpc';
import { pageRequest, requiredOrganization } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { listFeedback, type FeedbackDocument } from './store/feedback.ts';

/** For operators. */
export const listAllFeedback =
  ({ db }: Context): Handlers<typeof AdminServiceService>['listFeedback'] =>
  async ({ organizationId, ...request }) => {
    if (organizationId !== undefined) await requiredOrganization(db, organizationId);
    const { rows, nextPageToken } = await listFeedback(db, organizationId, pageRequest(request));
    return { feedback: rows.map(toFeedback), nextPageToken };
  };

const toFeedback = (row: FeedbackDocument): Feedback => ({
  id: row._id,
  organizationId: row.organization_id,
  message: row.message,
  category: row.category,
  pageUrl: row.page_url,
  postId: row.post_id,
  createdAt: row.created_at,
  createdBy: row.created_by,
  createdByName: row.created_by_name,
});
