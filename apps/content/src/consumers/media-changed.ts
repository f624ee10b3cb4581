import type { MediaChanged } from '@fanfare/contracts/library/events';
import type { EventHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { mediaFacts } from '../media/media-facts.ts';
import { mediaTexts } from '../media/media-texts.ts';
import { mediaUpdateRows } from '../media/store/media-updates.ts';

/** Records a change of media, for the posts that have it. No post ever has media whose processing failed. */
export const mediaChanged =
  ({ db }: Context): EventHandler<MediaChanged> =>
  async ({ data: { mediaId, organizationId, businessId, revision, change, media } }, session) => {
    const isDeleted = change === 'MEDIA_CHANGE_DELETED';
    if (!isDeleted && (!media || change === 'MEDIA_CHANGE_FAILED')) return;
    const row = { _id: mediaId, organization_id: organizationId, business_id: businessId, revision };
    await mediaUpdateRows.put(db, media && !isDeleted ? { ...row, texts: mediaTexts(media), facts: mediaFacts(media) } : row, session);
  };
