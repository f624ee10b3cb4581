import type { BusinessProfile, CreateBusinessRequest, UpdateBusinessRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { displayName, nonBlank, ownId, text, webUrl } from '../../text/text.ts';
import { organizationId } from '../common/organization-id.ts';
import { misfirePolicy, misfirePolicyToProto } from '../common/misfire-policy.ts';
import { MISFIRE_LIMIT } from './business.ts';
import { givenLinkTracking, linkTrackingToProto } from './link-tracking.ts';

const CREATIVE_FORMATS = ['design', 'carousel', 'meme', 'image', 'gif', 'video', 'ai-image', 'ai-video'] as const;

/** A week. */
const MAX_MISFIRE_LIMIT_MINUTES = 7 * 24 * 60;

const name = () => displayName(200).meta({ example: 'Corner Bakery' });

/** The fields of a business other than its name. Null means the default, as does omitting a field on creation. */
const fields = {
  description: text(5000).nullish().meta({ description: 'What the business does.' }),
  industry: text(200).nullish(),
  website: text(2048)
    .refine((value) => value === '' || webUrl().safeParse(value).success, 'must be an http or https URL')
    .nullish()
    .meta({ description: 'The home page: an http or https URL.', example: 'https://bakery.example.com' }),
  language: text(35)
    .refine(isLanguage, 'must be a BCP 47 language tag')
    .nullish()
    .meta({ description: 'BCP 47 language of the posts; en by default.', example: 'en' }),
  tone: text(2000).nullish().meta({ description: 'The tone of voice of the posts, as free text.' }),
  writing_rules: z.array(nonBlank(500)).max(50).nullish().meta({ description: 'Rules for the posts, one per entry.' }),
  palette: z
    .array(z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #aa3300'))
    .max(12)
    .nullish()
    .meta({ description: 'Colors as #rrggbb, primary color first.', example: ['#aa3300', '#fff8f0'] }),
  fonts: z.array(nonBlank(100)).max(10).nullish().meta({ description: 'Font families: headings first, then body text.' }),
  logo_media_id: ownId().nullish().meta({ description: 'The logo: an image in the library of this business. A new business has none.' }),
  timezone: text(100).nullish().meta({ description: 'IANA time zone; UTC by default.', example: 'Europe/Berlin' }),
  default_creative_formats: z
    .array(z.enum(CREATIVE_FORMATS))
    .min(1)
    .max(CREATIVE_FORMATS.length)
    .refine((formats) => new Set(formats).size === formats.length, 'must name each format once')
    .nullish()
    .meta({ uniqueItems: true, description: 'The formats that generation rotates through if a request names none; design by default.' }),
  default_aspect_ratio: z
    .string()
    .regex(/^[1-9]\d?:[1-9]\d?$/, 'must be a ratio of whole numbers up to 99, such as 4:5')
    .nullish()
    .meta({ description: 'Aspect ratio, width to height; 1:1 by default.', example: '4:5' }),
  include_stock: z.boolean().nullish().meta({ description: 'Whether generation may use stock photos; true by default.' }),
  link_tracking: givenLinkTracking(),
  misfire_policy: misfirePolicy('The default of posts that have none; publish_late by default.'),
  misfire_limit_minutes: z
    .int()
    .min(1)
    .max(MAX_MISFIRE_LIMIT_MINUTES)
    .nullish()
    .meta({ description: `${MISFIRE_LIMIT} 1440 (a day) by default.`, example: 1440 }),
};

export const createBusinessBody = z
  .strictObject({ organization_id: organizationId(), name: name(), ...fields })
  .meta({ id: 'CreateBusiness' });

export const updateBusinessBody = z.strictObject({ name: name().optional(), ...fields }).meta({ id: 'UpdateBusiness' });

type Given = Omit<z.output<typeof updateBusinessBody>, 'name'>;

export function toCreateBusinessRequest(
  body: z.output<typeof createBusinessBody>,
  ids: { operationId: string; businessId: string },
): CreateBusinessRequest {
  return {
    ...ids,
    name: body.name,
    description: body.description ?? '',
    industry: body.industry ?? '',
    website: body.website ?? '',
    language: body.language ?? '',
    profile: toProfile(body),
  };
}

export function toUpdateBusinessRequest(
  body: z.output<typeof updateBusinessBody>,
  edit: { operationId: string; businessId: string; expectedRevisions: number[] },
): UpdateBusinessRequest {
  return {
    ...edit,
    name: body.name,
    description: body.description ?? undefined,
    industry: body.industry ?? undefined,
    website: body.website ?? undefined,
    language: body.language ?? undefined,
    profile: toProfile(body),
    resetFields: Object.keys(body).filter((field) => body[field as keyof typeof body] === null),
  };
}

function toProfile(body: Given): BusinessProfile {
  return {
    tone: body.tone ?? undefined,
    writingRules: list(body.writing_rules),
    palette: list(body.palette),
    fonts: list(body.fonts),
    logoMediaId: body.logo_media_id ?? undefined,
    timezone: body.timezone ?? undefined,
    defaultCreativeFormats: list(body.default_creative_formats),
    defaultAspectRatio: body.default_aspect_ratio ?? undefined,
    includeStock: body.include_stock ?? undefined,
    linkTracking: linkTrackingToProto(body.link_tracking),
    misfirePolicy: body.misfire_policy ? misfirePolicyToProto(body.misfire_policy) : undefined,
    misfireLimitMinutes: body.misfire_limit_minutes ?? undefined,
  };
}

const list = (items: string[] | null | undefined) => (items ? { items } : undefined);

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
