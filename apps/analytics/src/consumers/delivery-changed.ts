import type { Platform } from '@fanfare/connectors';
import type { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import type { EventsHandler } from '@fanfare/events';
import type { Context } from '../context.ts';
import { positionOf } from '../position.ts';
import { AGES, plannedAt } from '../posts/ages.ts';
import { putPublished, type PublishedPost } from '../posts/store/posts.ts';

/** Schedules the snapshots of published posts. */
export const deliveryChanged =
  ({ config, db }: Context): EventsHandler<DeliveryChanged> =>
  async (events, session) => {
    const published = events.flatMap(({ data }) => publishedPost(data, config.timeScale));
    if (published.length > 0) await putPublished(db, published, session);
  };

function publishedPost(data: DeliveryChanged, timeScale: number): PublishedPost[] {
  const { deliveryId, publishedAt, publishId, postUrl } = data;
  if (!publishedAt) return [];
  const [next_age] = AGES;
  const post = {
    _id: deliveryId,
    organization_id: data.organizationId,
    business_id: data.businessId,
    post_id: data.postId,
    integration_id: data.integrationId,
    platform: data.platform as Platform,
    published_at: publishedAt,
    snapshot_at: plannedAt(publishedAt, next_age, positionOf(deliveryId), timeScale),
    next_age,
    ...(publishId !== undefined && { publish_id: publishId }),
    ...(postUrl !== undefined && { post_url: postUrl }),
  };
  return [post];
}
