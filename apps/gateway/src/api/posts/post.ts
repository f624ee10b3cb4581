import { createHash } from 'node:crypto';
import type { Post, PostMedia, PublishFailure, Risk } from '@fanfare/contracts/content';
import { z } from 'zod';
import type { Urls } from '../../urls.ts';
import { selfLink } from '../shared/self-link.ts';
import { isoTime, timestamp } from '../shared/timestamp.ts';
import { jsonPatch, patchFromProto, scalar, scalarMember } from './finding-parts.ts';
import { metadataFromProto } from './fields/metadata.ts';
import { platformOverride, platformOverrideFromProto } from './fields/platform-override.ts';
import { statusFromProto } from './fields/post-status.ts';
import { publishResult, publishResultFromProto } from './publish-result.ts';
import { publishStatusFromProto } from './fields/publish-status.ts';

const mediaDetail = z
  .object({
    id: z.string(),
    url: z.string(),
    type: z.string().meta({ description: 'image or video.' }),
    description: z.string().meta({ description: "The media's description, or its alternative text where it has none." }),
    transcript: z.string(),
    duration: z.number().meta({ description: 'Seconds; 0 for images.' }),
  })
  .meta({ id: 'MediaDetail' });

const risk = z
  .object({
    code: z.string().meta({
      description: 'media_deleted: a media that it needs was deleted; or the rule_id of a finding of validate_post. New ones may come.',
      example: 'caption_max_length',
    }),
    detail: z.string(),
    media_id: z.string().nullable().meta({ description: 'The media that it is about.' }),
    platform: z.string().nullable().meta({ description: 'The platform that would refuse it; null for the post as such.' }),
    field: z.string().nullable().meta({ description: 'Dotted path of the field in the post.', example: 'caption' }),
    limit: scalarMember.meta({ description: 'What the platform allows.', example: 280 }),
    value: scalarMember.meta({ description: 'What the post has.', example: 301 }),
    source: z.string().nullable().meta({ description: "The platform's own page about its limits." }),
    fix: jsonPatch.nullable().meta({
      description:
        'A JSON Patch (RFC 6902) of the post as it is read, which mends this alone; null where nobody can tell. Send the `platform_overrides` that it leaves to update_post.',
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

const queuePlace = z.object({ queue_id: z.string(), position: z.int(), estimated_publish_time: timestamp() }).meta({ id: 'QueuePlace' });

/** A post. Every member is always there; null where there is nothing to say. */
export const post = z
  .object({
    self: selfLink(),
    id: z.string(),
    business_id: z.uuid(),
    status: z.string().meta({ description: 'NEW, DRAFT, REJECTED, SCHEDULED or PUBLISHED.', example: 'NEW' }),
    caption: z.string().meta({ description: 'Published on every channel unless a platform override supplies its own.' }),
    media_urls: z.array(z.string()),
    media_details: z.array(mediaDetail),
    scheduled_publish_time: timestamp().nullable(),
    published_at: timestamp().nullable(),
    publish_status: z.string().nullable().meta({
      description:
        'How publishing went, in all, when the post was last sent: sending; succeeded: every account has it; partially_failed: some have it; failed: none has it; in_doubt: an account may have it (`unknown_outcome`), whatever became of the others. A SCHEDULED post that was sent to some accounts ahead of its time still waits for the rest: look at `status` too. Null when it was never sent from here.',
      example: 'succeeded',
    }),
    publish_results: z.array(publishResult).meta({ description: 'One entry for each account that the post was sent to.' }),
    last_failure: z.union([publishFailure, z.null()]).meta({
      description: 'Why nothing could be sent when its time had come. Null when it was sent, and where `publish_results` say why.',
    }),
    at_risk: z.array(risk).nullable().meta({
      description:
        'Why publishing would fail, as far as is known now: it follows the connected accounts, their settings and the media. Null when nothing is known, and unless it is scheduled.',
    }),
    restrict_publish_to: z.array(z.string()).nullable().meta({ description: 'Platforms; null means every connected one.' }),
    restrict_publish_to_integration_ids: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Connected accounts; null means that targeting is by platform.' }),
    platform_overrides: z.array(platformOverride),
    link: z.string().nullable(),
    cover_media_id: z.string().nullable(),
    video_cover_timestamp_ms: z.int().nullable(),
    design_id: z.string().nullable(),
    repeating_cron: z
      .string()
      .nullable()
      .meta({ description: 'Five fields, in `repeating_timezone`: when the next occurrence is published; null means one-off.' }),
    repeating_timezone: z.string().nullable().meta({ description: 'Null for a post that does not repeat.', example: 'Europe/Berlin' }),
    queue: z.union([queuePlace, z.null()]),
    metadata: z.record(z.string(), z.string()),
    review_note: z.string().nullable().meta({ description: 'What the last reviewer had to say.' }),
    url: z.string().meta({ description: 'The post in the web app.' }),
    scheduled_posts_url: z.string().nullable().meta({ description: 'The scheduled posts in the web app, while this is one of them.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Post' });

/** An answer that is one post: with its place and its revision. */
export function postAnswer(
  given: Post | undefined,
  urls: Urls,
): { body: z.input<typeof post>; location: string; revision: number; reading: number } {
  if (!given) throw new Error('The content service answered without a post.');
  const { businessId, id, revision } = given;
  return { body: postFromProto(given, urls), location: `/api/businesses/${businessId}/posts/${id}`, revision, reading: readingOf(given) };
}

/** What puts it at risk comes and goes without a change of the post. Fifteen digits, as a tag has room for. */
function readingOf({ mediaRevision, atRisk }: Post): number {
  if (atRisk.length === 0) return mediaRevision;
  const digest = createHash('sha256')
    .update(JSON.stringify([mediaRevision, atRisk]))
    .digest();
  return digest.readUIntBE(0, 6);
}

export function postFromProto(given: Post, urls: Urls): z.input<typeof post> {
  const { id, businessId } = given;
  return {
    id,
    business_id: businessId,
    status: statusFromProto(given.status),
    caption: given.caption,
    media_urls: given.media.map(({ url }) => url),
    media_details: given.media.map(mediaDetailFromProto),
    scheduled_publish_time: given.scheduledPublishTime?.toISOString() ?? null,
    published_at: given.publishedAt?.toISOString() ?? null,
    publish_status: publishStatusFromProto(given.publishStatus),
    publish_results: given.publishResults.map(publishResultFromProto),
    last_failure: given.lastFailure ? failureFromProto(given.lastFailure) : null,
    at_risk: given.atRisk.length === 0 ? null : given.atRisk.map(riskFromProto),
    restrict_publish_to: nullIfEmpty(given.restrictPublishTo),
    restrict_publish_to_integration_ids: nullIfEmpty(given.restrictPublishToIntegrationIds),
    platform_overrides: given.platformOverrides.map(platformOverrideFromProto),
    link: given.link ?? null,
    cover_media_id: given.coverMediaId ?? null,
    video_cover_timestamp_ms: given.videoCoverTimestampMs ?? null,
    design_id: given.designId ?? null,
    repeating_cron: given.repeatingCron ?? null,
    repeating_timezone: given.repeatingCron === undefined ? null : (given.repeatingTimezone ?? 'UTC'),
    queue: null,
    metadata: metadataFromProto(given.metadata),
    review_note: given.reviewNote ?? null,
    url: urls.consolePost(businessId, id),
    scheduled_posts_url: given.status === 'POST_STATUS_SCHEDULED' ? urls.consoleScheduledPosts(businessId) : null,
    created_at: isoTime(given.createdAt),
    updated_at: isoTime(given.updatedAt),
  };
}

const failureFromProto = ({ errorType, detail, at }: PublishFailure): z.input<typeof publishFailure> => ({
  error_type: errorType,
  detail,
  at: isoTime(at),
});

function riskFromProto({ code, detail, mediaId, platform, field, limit, value, source, fix }: Risk): z.input<typeof risk> {
  return {
    ...{ code, detail, media_id: mediaId ?? null, platform: platform ?? null, field: field ?? null },
    ...{ limit: scalar(limit), value: scalar(value), source: source ?? null, fix: patchFromProto(fix) },
  };
}

function mediaDetailFromProto({ id, url, type, description, transcript, duration }: PostMedia): z.input<typeof mediaDetail> {
  return { id, url, type, description, transcript, duration };
}

const nullIfEmpty = (list: string[]) => (list.length === 0 ? null : list);
