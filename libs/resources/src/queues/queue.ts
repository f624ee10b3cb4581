import type { Queue, QueuePlace } from '@fanfare/contracts/content/queues';
import { isoTime } from '../required.ts';

export function queueFromProto(given: Queue) {
  return {
    id: given.id,
    business_id: given.businessId,
    name: given.name,
    slots: given.slots.map(({ days, time }) => ({ days, time })),
    timezone: given.timezone,
    paused: given.paused,
    is_default: given.isDefault,
    restrict_publish_to: given.restrictPublishTo.length === 0 ? null : given.restrictPublishTo,
    post_count: given.postCount,
    next_publish_time: given.nextPublishTime?.toISOString() ?? null,
    created_at: isoTime(given.createdAt),
    updated_at: isoTime(given.updatedAt),
  };
}

export const queuePlaceFromProto = ({ queueId, position, estimatedPublishTime }: QueuePlace) => ({
  queue_id: queueId,
  position,
  estimated_publish_time: estimatedPublishTime?.toISOString() ?? null,
});
