import type { DesignChanged } from '@fanfare/contracts/generation/events';
import type { EventHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { designUpdateRows } from '../designs/store/design-updates.ts';

/** Records a new rendering, for the posts of the design. Posts keep the media of a deleted design. */
export const designChanged =
  ({ db }: Context): EventHandler<DesignChanged> =>
  async ({ data: { organizationId, design, isDeleted } }, session) => {
    // No post can have a design that was just created.
    if (!design || isDeleted || design.revision === 1) return;
    const { id: _id, businessId, revision, media } = design;
    const media_ids = media.map(({ mediaId }) => mediaId);
    await designUpdateRows.put(db, { _id, organization_id: organizationId, business_id: businessId, revision, media_ids }, session);
  };
