/** What a delivery sends: the snapshot of the post with the overrides of this account and its platform applied. */
export interface DeliveryContent {
  caption: string;
  title?: string;
  link?: string;
  first_comment?: string;
  media_ids: string[];
  cover_media_id?: string;
  video_cover_timestamp_ms?: number;
  /** Of the override; the account's settings stand behind it. */
  options?: Readonly<Record<string, unknown>>;
  /** What of it, that a post has for all, an override says, and which one of the post's. */
  overridden_at?: { caption?: number; link?: number; media?: number };
  /** The same in rows of the version before. */
  overridden?: { index: number; fields: ('caption' | 'link' | 'media')[] };
}
