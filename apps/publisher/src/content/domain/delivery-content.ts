import type { LinkTracking } from '@fanfare/connectors/preflight';

/** What a delivery sends: the snapshot of the post with the overrides of this account and its platform applied. */
export interface DeliveryContent {
  caption: string;
  title?: string;
  link?: string;
  first_comment?: string;
  media_ids: string[];
  cover_media_id?: string;
  video_cover_timestamp_ms?: number;
  /** Options of the override; the account's settings fill in the others. */
  options?: Readonly<Record<string, unknown>>;
  /** What the business added to links when the post was claimed. They are added when the delivery begins, to links in options too. */
  link_tracking?: LinkTracking;
  /** Which of the post's common fields come from an override, and the index of that override. */
  overridden_at?: { caption?: number; link?: number; media?: number };
  /** The same in rows of the previous version. */
  overridden?: { index: number; fields: ('caption' | 'link' | 'media')[] };
}
