import type { Platform } from '@fanfare/connectors';
import type { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import type { EventHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { positionOf } from '../position.ts';
import { AGES, plannedAt } from '../posts/ages.ts';
import { putPublished } from '../posts/store/posts.ts';

/** Schedules the snapshots of a published post. */
export const deliveryChanged =
  ({ config, db }: Context): EventHandler<DeliveryChanged> =>
  async ({ data }, session) => {
    const { deliveryId, publishedAt, publishId, postUrl } = data;
    if (!publishedAt) return;
    const [next_age] = AGES;
    await putPublished(
      db,
      {
        _id: deliveryId,
        organization_id: data.organizationId,
        business_id: data.businessId,
        post_id: data.postId,
        integration_id: data.integrationId,
        platform: data.platform as Platform,
        published_at: publishedAt,
        snapshot_at: plannedAt(publishedAt, next_age, positionOf(deliveryId), config.timeScale),
        next_age,
        ...(publishId !== undefined && { publish_id: publishId }),
        ...(postUrl !== undefined && { post_url: postUrl }),
      },
      session,
    );
  };
