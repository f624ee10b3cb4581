import type {
  MetadataEntry,
  MisfirePolicy,
  PublishStrategy,
  PlatformOverride,
  PostMedia,
  PostStatus,
  PublishResult,
  PublishStatus,
  Removal,
  Risk,
} from '@fanfare/contracts/content';
import type { Head } from '@fanfare/ledger';
import type { SeriesContent } from '../series/series-content.ts';

/** Fields that lists find posts by, derived from the others with every write; see `withKeys`. */
interface PostKeys {
  /** All media of the post, its overrides and its cover; present if there are any and the post may still change. */
  media_ids?: string[];
  /** The overall result of publishing; absent if the post was never sent, or is deleted. */
  publish_status?: PublishStatus;
  /** Where the post was sent or, if it was not, where it is to go; absent if the post is deleted. */
  target_keys?: string[];
  /** The words of its texts; absent in rows of older versions that are not migrated yet. */
  words?: string[];
}

/** The result of publishing to one target, with fields that callers do not see. */
export interface ResultDocument extends Omit<PublishResult, 'warnings' | 'removal'> {
  /** Absent in rows of older versions. */
  warnings?: string[];
  /** The removal of the post from this target; absent if none was requested. */
  removal?: RemovalDocument | undefined;
  /** The newest applied revision of the delivery. */
  revision: number;
  /** When the publication was due. The lag is measured from this time. */
  dueAt: Date;
}

/** The removal of a post from one target, with a field that callers do not see. */
export interface RemovalDocument extends Removal {
  /** The newest applied revision. */
  revision: number;
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
  /** The status from the last review. The post returns to it when it is unscheduled, or when every target has failed. */
  verdict: PostStatus;
  media: PostMedia[];
  design_id?: string;
  /** The revision of the design that has the `media`. */
  design_revision?: number;
  cover_media_id?: string;
  video_cover_timestamp_ms?: number;
  link?: string;
  restrict_publish_to: string[];
  restrict_publish_to_integration_ids: string[];
  /** Present if and only if the status is SCHEDULED and the post is in no queue. */
  scheduled_publish_time?: Date;
  /** Present from scheduling until the claim. */
  next_due_at?: Date;
  /** The queue that it is in: its blocks have the post. Only with the status SCHEDULED and without a time. */
  queue_id?: string;
  /** The queue whose slot publishes it, until all of its results are final: it returns there if that slot was missed after all. */
  slot_queue_id?: string;
  /** Accounts that the post was published to early; present only while it waits for its time. */
  early_integration_ids?: string[];
  published_at?: Date;
  /** Pairs, because any string may be a key, including `$a`, `a.b` and the empty one. */
  metadata: MetadataEntry[];
  platform_overrides: PlatformOverride[];
  publish_results: ResultDocument[];
  /** Why nothing could be sent at the scheduled time, if no result says it; removed by the next claim. */
  last_failure?: { error_type: string; detail: string; at: Date };
  /** It was too late to be published, as `last_failure` says, and nobody has changed or published it since. */
  is_held?: true;
  /** Publications of this post, newest last: a repeated publish call finds its id here. */
  publication_ids: string[];
  repeating_cron?: string;
  /** The time zone of `repeating_cron`; absent: UTC. */
  repeating_timezone?: string;
  /** What happens if it cannot be published in time; absent: as the business decides. */
  misfire_policy?: MisfirePolicy;
  /** How its targets depend on each other; absent: not at all. */
  strategy?: PublishStrategy;
  /** The first post of its series; absent on the first post itself. */
  series_id?: string;
  /** Its time in the series, even if it was moved to another time; absent on the first post. */
  series_time?: Date;
  /** What the next post of its series takes over, if an edit was only for this post; otherwise the content of this post. */
  next_content?: SeriesContent;
  /** The post was claimed while it repeated: the next post of the series was created then, and is never created again, even if it was deleted. */
  is_followed?: true;
  review_note?: string;
  /** Stored reasons why publishing would fail, which cannot be computed from other data; shown while the post is scheduled. */
  at_risk?: Pick<Risk, 'code' | 'detail' | 'mediaId'>[];
  /** The risks of a waiting or held post that events have reported; absent if there are none. Lists find posts at risk by it. */
  risks_told?: string[];
  /** Accounts whose quota was promised to other posts when the risks were noted; only while it waits, and absent if there are none. */
  quota_promised?: string[];
  /** When that was noted: posts that are at risk do not count for those that were so before them. Absent in rows of older versions. */
  quota_promised_at?: Date;
  /** Counts changes of its media in the library, which are not changes of the post. */
  media_revision?: number;
  /** Who created it, or the first post of its series; absent in rows of older versions. */
  created_by?: string;
  /** Operations that changed the post, newest last; absent if there are none. */
  operation_ids?: string[];
  /** The last entry of its timeline; absent until the first write of a version that records one. */
  ledger?: Head;
  /** Deleted posts are found only by repeats of earlier operations. */
  deleted_at?: Date;
}
