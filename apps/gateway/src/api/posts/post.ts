import { createHash } from 'node:crypto';
import type { Post } from '@fanfare/contracts/content';
import { postFromProto, type Urls } from '@fanfare/resources';
import { z } from 'zod';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { jsonPatch, scalarMember } from './finding-parts.ts';
import { platformOverride } from './fields/platform-override.ts';
import { publishResult } from './publish-result.ts';

const mediaDetail = z
  .object({
    id: z.string(),
    url: z.string(),
    type: z.string().meta({ description: 'image or video.' }),
    description: z.string().meta({ description: 'The description of the media file; its alternative text if it has no description.' }),
    transcript: z.string(),
    duration: z.number().meta({ description: 'Seconds; 0 for images.' }),
  })
  .meta({ id: 'MediaDetail' });

const risk = z
  .object({
    code: z.string().meta({
      description:
        '`media_deleted`: a media file of the post was deleted. `queue_paused`: the queue of the post is paused. `misfire_hold`: the post was not published in time, and waits until you edit, schedule or publish it. `quota_promised`: the platform limits the number of posts of an account, and as many other posts as it allows are scheduled around this time. Any other value is the `rule_id` of a finding of `validate_post`, such as `access_ends`. New values may be added.',
      example: 'caption_max_length',
    }),
    detail: z.string(),
    media_id: z.string().nullable().meta({ description: 'The media file concerned.' }),
    platform: z
      .string()
      .nullable()
      .meta({ description: 'The platform that would reject the post; null if it concerns the post in general.' }),
    field: z.string().nullable().meta({ description: 'The dotted path of the field in the post.', example: 'caption' }),
    limit: scalarMember.meta({ description: 'The limit of the platform.', example: 280 }),
    value: scalarMember.meta({ description: 'The actual value in the post.', example: 301 }),
    source: z.string().nullable().meta({ description: "The platform's page about its limits." }),
    fix: jsonPatch.nullable().meta({
      description:
        'A JSON Patch (RFC 6902) that fixes only this problem; null if there is no automatic fix. Apply it to the post as you read it, and send the resulting `platform_overrides` to `update_post`.',
    }),
  })
  .meta({ id: 'Risk' });

const publishFailure = z
  .object({
    error_type: z.string().meta({ description: 'As in `publish_results`.', example: 'permission_denied' }),
    detail: z.string().meta({ example: 'No account is connected to this business.' }),
    at: timestamp(),
  })
  .meta({ id: 'PublishFailure' });

const queuePlace = z
  .object({
    queue_id: z.string(),
    position: z.int().meta({ description: 'The position of the post in the queue: 1 for the post that is published next.' }),
    estimated_publish_time: timestamp().nullable().meta({
      description: 'When the post will be published if the queue does not change; null if the queue is paused.',
    }),
  })
  .meta({ id: 'QueuePlace' });

/** A post. Every member is always present; null if it has no value. */
export const post = z
  .object({
    self: selfLink(),
    id: z.string(),
    business_id: z.uuid(),
    status: z.string().meta({ description: 'NEW, DRAFT, REJECTED, SCHEDULED or PUBLISHED.', example: 'NEW' }),
    caption: z.string().meta({ description: 'The text of the post, unless an override replaces it.' }),
    media_urls: z.array(z.string()),
    media_details: z.array(mediaDetail),
    scheduled_publish_time: timestamp().nullable(),
    published_at: timestamp().nullable(),
    publish_status: z.string().nullable().meta({
      description:
        'The overall result of the latest publication. `sending`: not every account has a final result. `succeeded`: every account has the post. `partially_failed`: some accounts have it. `failed`: no account has it. `in_doubt`: it is unknown whether an account has it (`unknown_outcome`), whatever the results of the others. A SCHEDULED post that was published to some accounts ahead of its time still waits for the others: check `status` too. Null if Fanfare never published the post.',
      example: 'succeeded',
    }),
    publish_results: z.array(publishResult).meta({ description: 'One entry per account that the post was published to.' }),
    last_failure: z.union([publishFailure, z.null()]).meta({
      description:
        'Why publishing could not start at the scheduled time; `too_late` means that it was too late to start. Null if publishing started; then `publish_results` contain the errors.',
    }),
    at_risk: z.array(risk).nullable().meta({
      description:
        'Why publishing would fail, as far as is known now. The list changes when connected accounts, their settings or media change. Null if there is no known problem, or if the post is neither scheduled nor held by its `misfire_policy`.',
    }),
    restrict_publish_to: z.array(z.string()).nullable().meta({ description: 'Target platforms; null: every connected platform.' }),
    restrict_publish_to_integration_ids: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Target accounts; null: the targets are chosen by platform.' }),
    platform_overrides: z.array(platformOverride),
    link: z.string().nullable(),
    cover_media_id: z.string().nullable(),
    video_cover_timestamp_ms: z.int().nullable(),
    design_id: z.string().nullable(),
    repeating_cron: z
      .string()
      .nullable()
      .meta({ description: 'Cron with five fields, in `repeating_timezone`; null: the post does not repeat.' }),
    repeating_timezone: z.string().nullable().meta({ description: 'Null if the post does not repeat.', example: 'Europe/Berlin' }),
    series_id: z.string().nullable().meta({ description: 'The id of the first post of the series; null if the post is in no series.' }),
    strategy: z.string().meta({
      description: 'How the accounts of the post depend on each other: independent, primary_first or all_or_nothing.',
      example: 'independent',
    }),
    misfire_policy: z
      .string()
      .nullable()
      .meta({ description: 'publish_late, skip or hold; null: the `misfire_policy` of the business applies.', example: null }),
    queue: z.union([queuePlace, z.null()]).meta({
      description:
        'The place of the post in a queue; null if it is in no queue. The place also changes when posts before it are published, moved or removed; `updated_at` stays the same then.',
    }),
    metadata: z.record(z.string(), z.string()),
    review_note: z.string().nullable().meta({ description: 'The note of the last review.' }),
    url: z.string().meta({ description: 'The post in the web app.' }),
    scheduled_posts_url: z
      .string()
      .nullable()
      .meta({ description: 'The calendar of scheduled posts in the web app; null unless the post is scheduled.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Post' });

/** A response with a single post: its body, location and revision. */
export function postResult(
  given: Post | undefined,
  urls: Urls,
): { body: z.input<typeof post>; location: string; revision: number; reading: number } {
  if (!given) throw new Error('The content service returned no post.');
  const { businessId, id, revision } = given;
  return { body: postFromProto(given, urls), location: `/api/businesses/${businessId}/posts/${id}`, revision, reading: readingOf(given) };
}

/** A number that changes with the risks, the media and the place of a post, which change without a new revision. At most fifteen digits, the limit in an ETag. */
function readingOf({ mediaRevision, atRisk, queue }: Post): number {
  if (atRisk.length === 0 && !queue) return mediaRevision;
  const digest = createHash('sha256')
    .update(JSON.stringify([mediaRevision, atRisk, queue]))
    .digest();
  return digest.readUIntBE(0, 6);
}
