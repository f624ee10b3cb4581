import type { Platform } from '@fanfare/connectors';
import type { PublicationRequested } from '@fanfare/contracts/content/events';
import type { EventsHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { putRequested } from '../posts/store/posts.ts';

/** Stores the fields by which reports find and filter posts once they have statistics. */
export const publicationRequested =
  ({ db }: Context): EventsHandler<PublicationRequested> =>
  async (events, session) => {
    const rows = events.flatMap(({ data: { deliveries, snapshot, ...data } }) =>
      deliveries.map(({ deliveryId, integrationId, platform }) => ({
        _id: deliveryId,
        organization_id: data.organizationId,
        business_id: data.businessId,
        post_id: data.postId,
        integration_id: integrationId,
        platform: platform as Platform,
        media_type: mediaTypeOf(snapshot),
        metadata: (snapshot?.metadata ?? []).map(({ key, value }) => ({ key, value })),
      })),
    );
    await putRequested(db, rows, session);
  };

function mediaTypeOf(snapshot: PublicationRequested['snapshot']): string {
  const [first, ...others] = snapshot?.media ?? [];
  if (!first) return snapshot?.link === undefined ? 'text' : 'link';
  if (others.length > 0) return 'album';
  return first.type === 'video' ? 'video' : 'image';
}
