import type {
  MetadataEntry,
  PlatformOverride,
  PostMedia,
  PostStatus,
  PublishResult,
  PublishStatus,
  Risk,
} from '@fanfare/contracts/content';

/** What a post is found by, beside its own fields: derived from it with every write; see `withKeys`. */
interface PostKeys {
  /** All that it names, overrides' and cover too; present while there are some and the post may still change. */
  media_ids?: string[];
  /** How publishing it went, in all; absent when it was never sent, and of a deleted one. */
  publish_status?: PublishStatus;
  /** Where it was sent, or else is to go; absent of a deleted one. */
  target_keys?: string[];
  /** Words of its texts; absent in rows of older versions until the migration has come to them. */
  words?: string[];
}

/** How publishing goes on one target, with what only we need to know. */
export interface ResultDocument extends Omit<PublishResult, 'warnings'> {
  /** Absent in rows of older versions. */
  warnings?: string[];
  /** The newest revision of the delivery that was taken in. */
  revision: number;
  /** When the publication was due; the lag counts from here. */
  dueAt: Date;
}

export interface PostDocument extends PostKeys {
  _id: string;
  organization_id: string;
  business_id: string;
  created_at: Date;
  updated_at: Date;
  revision: number;
  caption: string;
  status: PostStatus;
  /** The review verdict, which the post goes back to when it is no longer scheduled or when every target failed. */
  verdict: PostStatus;
  media: PostMedia[];
  design_id?: string;
  /** The revision of the design that `media` are of. */
  design_revision?: number;
  cover_media_id?: string;
  video_cover_timestamp_ms?: number;
  link?: string;
  restrict_publish_to: string[];
  restrict_publish_to_integration_ids: string[];
  /** Present while, and only while, its status is SCHEDULED. */
  scheduled_publish_time?: Date;
  /** Present from the moment it is scheduled until it is claimed. */
  next_due_at?: Date;
  /** Accounts that it was sent to ahead of its time; present while it waits, if there are some. */
  early_integration_ids?: string[];
  published_at?: Date;
  /** Pairs, because any string may be a key: `$a`, `a.b` and the empty one too. */
  metadata: MetadataEntry[];
  platform_overrides: PlatformOverride[];
  publish_results: ResultDocument[];
  /** Why it could not be sent at all when its time had come, where no result says so; until it is claimed again. */
  last_failure?: { error_type: string; detail: string; at: Date };
  /** Publications of this post, newest last: a repeat of a publish call finds itself here. */
  publication_ids: string[];
  repeating_cron?: string;
  /** In which `repeating_cron` is meant; absent: UTC. */
  repeating_timezone?: string;
  /** The first post of its series; absent on that one. */
  series_id?: string;
  /** When it comes in its series, wherever it was moved to since; absent on the first. */
  series_time?: Date;
  /** Present once it was claimed while it repeated: what follows it was created then, and is not created again, whatever became of it. */
  is_followed?: true;
  review_note?: string;
  /** Why publishing it would fail, as far as it cannot be found out anew; shown while it is scheduled. */
  at_risk?: Pick<Risk, 'code' | 'detail' | 'mediaId'>[];
  /** Grows when what the library says of its media changes, which is no change of the post. */
  media_revision?: number;
  /** Who created it, or the first one of its series; absent in rows of older versions. */
  created_by?: string;
  /** Operations that changed it, newest last; absent until there is one. */
  operation_ids?: string[];
  /** Nothing finds it any more, but repeats of what was asked before. */
  deleted_at?: Date;
}
