import type { Platform } from '@fanfare/connectors';
import type { PostSnapshot } from '@fanfare/contracts/content/events';
import type { DeliveryContent } from '../store/deliveries.ts';

/** What goes to one platform: its override's field where that is set, otherwise the post's own. */
export function contentFor(platform: Platform, snapshot: PostSnapshot): DeliveryContent {
  const index = snapshot.platformOverrides.findIndex((one) => one.platform === platform);
  const override = snapshot.platformOverrides[index];
  const media = override?.media?.items ?? snapshot.media;
  const content: DeliveryContent = { caption: override?.caption ?? snapshot.caption, media_ids: media.map(({ id }) => id) };
  const link = override?.link ?? snapshot.link;
  if (link !== undefined) content.link = link;
  if (override?.title !== undefined) content.title = override.title;
  if (override?.options) content.options = override.options;
  // No platform takes one without a word.
  if (override?.firstComment?.trim()) content.first_comment = override.firstComment;
  if (snapshot.coverMediaId !== undefined) content.cover_media_id = snapshot.coverMediaId;
  if (snapshot.videoCoverTimestampMs !== undefined) content.video_cover_timestamp_ms = snapshot.videoCoverTimestampMs;
  const fields = (['caption', 'link', 'media'] as const).filter((field) => override?.[field] !== undefined);
  if (fields.length > 0) content.overridden = { index, fields };
  return content;
}
