import type { DesignChanged } from '@fanfare/contracts/generation/events';
import type { EventHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { designNewsRows } from '../designs/store/design-news.ts';

/** Notes what posts are to hear of a design. One that was deleted leaves them its media. */
export const designChanged =
  ({ db }: Context): EventHandler<DesignChanged> =>
  async ({ data: { organizationId, design, isDeleted } }, session) => {
    // No post has one that is new.
    if (!design || isDeleted || design.revision === 1) return;
    const { id: _id, businessId, revision, media } = design;
    const media_ids = media.map(({ mediaId }) => mediaId);
    await designNewsRows.put(db, { _id, organization_id: organizationId, business_id: businessId, revision, media_ids }, session);
  };
