import type { Platform } from '@fanfare/connectors';
import { optionsOver, type Options } from '@fanfare/connectors/preflight';
import type { PostSnapshot } from '@fanfare/contracts/content/events';
import type { DeliveryContent } from './delivery-content.ts';

/** What is sent to one account. Each field comes from the account's override, else from the platform's, else from the post. Options are merged one by one. */
export function contentForPlatform(platform: Platform, integrationId: string, snapshot: PostSnapshot): DeliveryContent {
  const placed = snapshot.platformOverrides.map((override, index) => ({ override, index }));
  const overrides = [
    ...placed.filter(({ override }) => override.integrationId === integrationId),
    ...placed.filter(({ override }) => override.platform === platform),
  ];
  const first = (field: 'caption' | 'link' | 'media' | 'title' | 'firstComment') =>
    overrides.find(({ override }) => override[field] !== undefined);
  const media = first('media')?.override.media?.items ?? snapshot.media;
  const caption = first('caption')?.override.caption ?? snapshot.caption;
  const content: DeliveryContent = { caption, media_ids: media.map(({ id }) => id) };
  const link = first('link')?.override.link ?? snapshot.link;
  const title = first('title')?.override.title;
  const firstComment = first('firstComment')?.override.firstComment;
  if (link !== undefined) content.link = link;
  if (title !== undefined) content.title = title;
  if (overrides.some(({ override }) => override.options)) {
    content.options = overrides.reduceRight<Options>((options, { override }) => optionsOver(options, override.options ?? {}), {});
  }
  // No platform accepts an empty comment.
  if (firstComment?.trim()) content.first_comment = firstComment;
  if (snapshot.coverMediaId !== undefined) content.cover_media_id = snapshot.coverMediaId;
  if (snapshot.videoCoverTimestampMs !== undefined) content.video_cover_timestamp_ms = snapshot.videoCoverTimestampMs;
  if (snapshot.linkTracking) content.link_tracking = snapshot.linkTracking;
  const places = (['caption', 'link', 'media'] as const).flatMap((field) => {
    const index = first(field)?.index;
    return index === undefined ? [] : [[field, index] as const];
  });
  if (places.length > 0) content.overridden_at = Object.fromEntries(places);
  return content;
}
