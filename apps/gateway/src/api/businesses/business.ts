import type { Business } from '@fanfare/contracts/content';
import { isoTime, misfirePolicyFromProto } from '@fanfare/resources';
import { z } from 'zod';
import type { DeletionDocument } from '../../accounts/index.ts';
import { deletion, deletionFromStore } from '../common/deletion.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { linkTracking, linkTrackingFromProto } from './link-tracking.ts';

export const MISFIRE_LIMIT =
  'By how many minutes a post may be late and still be published, with the policy publish_late or after a call to publish it.';

const summary = {
  id: z.uuid(),
  created_at: timestamp(),
  name: z.string(),
  description: z.string(),
  industry: z.string(),
  website: z.string(),
  language: z.string().meta({ example: 'en' }),
  updated_at: timestamp(),
};

/** A row of the list of businesses. */
export const businessSummary = z.object(summary).meta({ id: 'BusinessSummary' });

/** A business with its brand profile. Every member is always present. */
export const business = z
  .object({
    self: selfLink(),
    ...summary,
    tone: z.string().meta({ description: 'The tone of voice of the posts, as free text.' }),
    writing_rules: z.array(z.string()).meta({ description: 'Rules for the posts, one per entry.' }),
    palette: z.array(z.string()).meta({ description: 'Colors as #rrggbb, primary color first.' }),
    fonts: z.array(z.string()).meta({ description: 'Font families: headings first, then body text.' }),
    logo_media_id: z.string().nullable().meta({ description: 'The logo: an image in the library of this business.' }),
    timezone: z.string().meta({
      description: 'IANA time zone of the business. It applies to queues without a time zone of their own, and to the best times to post.',
      example: 'Europe/Berlin',
    }),
    default_creative_formats: z.array(z.string()).meta({
      description: 'The creative formats of generated posts, used in turn, if a request names none.',
    }),
    default_aspect_ratio: z.string().meta({ description: 'Aspect ratio, width to height, if a request names none.', example: '4:5' }),
    include_stock: z.boolean().meta({ description: 'Whether generation may use stock photos, if a request does not say so.' }),
    link_tracking: linkTracking(),
    misfire_policy: z.string().meta({
      description: 'What happens to posts without a `misfire_policy` that cannot be published in time: publish_late, skip or hold.',
      example: 'publish_late',
    }),
    misfire_limit_minutes: z.int().meta({ description: MISFIRE_LIMIT, example: 1440 }),
    deletion: deletion
      .nullable()
      .meta({ description: 'The pending deletion, during which nothing of the business is published; null if there is none.' }),
  })
  .meta({ id: 'Business' });

export function businessSummaryFromProto(given: Business): z.input<typeof businessSummary> {
  const { id, name, description, industry, website, language, createdAt, updatedAt } = given;
  return { id, created_at: isoTime(createdAt), name, description, industry, website, language, updated_at: isoTime(updatedAt) };
}

/** @param deleting its deletion, if it is being deleted */
export function businessFromProto(given: Business, deleting?: DeletionDocument): z.input<typeof business> {
  return {
    ...businessSummaryFromProto(given),
    tone: given.tone,
    writing_rules: given.writingRules,
    palette: given.palette,
    fonts: given.fonts,
    logo_media_id: given.logoMediaId ?? null,
    timezone: given.timezone,
    default_creative_formats: given.defaultCreativeFormats,
    default_aspect_ratio: given.defaultAspectRatio,
    include_stock: given.includeStock,
    link_tracking: linkTrackingFromProto(given.linkTracking),
    misfire_policy: misfirePolicyFromProto(given.misfirePolicy) ?? 'publish_late',
    // An earlier version of the content service has none.
    misfire_limit_minutes: given.misfireLimitMinutes || 24 * 60,
    deletion: deletionFromStore(deleting),
  };
}

/** What a handler returns of a business. Its deletion is no change of its revision. */
export const showBusiness = (given: Business, deleting: DeletionDocument | undefined) => ({
  body: businessFromProto(given, deleting),
  location: `/api/businesses/${given.id}`,
  revision: given.revision,
  reading: deleting?.state === 'pending' ? deleting.requested_at.getTime() : 0,
});
