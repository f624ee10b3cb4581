import type {
  BusinessProfile,
  CreateBusinessRequest,
  LinkTracking,
  MisfirePolicy,
  UpdateBusinessRequest,
} from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import { isTimeZone } from '../series/time-zone.ts';

/** The fields of a business besides its name. */
export interface BusinessFields {
  description: string;
  industry: string;
  website: string;
  language: string;
  tone: string;
  writing_rules: string[];
  palette: string[];
  fonts: string[];
  logo_media_id: string | null;
  timezone: string;
  default_creative_formats: string[];
  default_aspect_ratio: string;
  include_stock: boolean;
  /** Added to links when a post is sent. */
  link_tracking: LinkTracking | null;
  /** What happens to posts that cannot be published in time, unless they choose it themselves. */
  misfire_policy: MisfirePolicy;
  /** By how many minutes a post may be late and still be published. */
  misfire_limit_minutes: number;
}

/** The values of fields that were never set, or were reset. */
export const BUSINESS_DEFAULTS: Readonly<BusinessFields> = {
  description: '',
  industry: '',
  website: '',
  language: 'en',
  tone: '',
  writing_rules: [],
  palette: [],
  fonts: [],
  logo_media_id: null,
  timezone: 'UTC',
  default_creative_formats: ['design'],
  default_aspect_ratio: '1:1',
  include_stock: true,
  link_tracking: null,
  misfire_policy: 'MISFIRE_POLICY_PUBLISH_LATE',
  misfire_limit_minutes: 24 * 60,
};

/** A week: what a limit protects from is rarely still worth publishing after that. */
export const MAX_MISFIRE_LIMIT_MINUTES = 7 * 24 * 60;

/** @throws DomainError missing_field, invalid_value */
export function newBusinessFields(request: CreateBusinessRequest): BusinessFields & { name: string } {
  const { name, description, industry, website, language, profile } = request;
  if (name.trim() === '') throw new DomainError('missing_field', 'A business must have a name.', { param: 'name' });
  if (profile?.logoMediaId !== undefined) {
    throw new DomainError(
      'invalid_value',
      'A new business has no media yet. Create the business, upload an image to it, then set its logo.',
      {
        param: 'logo_media_id',
      },
    );
  }
  const fields = { description, industry, website, ...(language === '' ? {} : { language }), ...givenOf(profile) };
  checkFields(fields);
  return { name, ...BUSINESS_DEFAULTS, ...fields };
}

/**
 * The fields that an update changes.
 * @throws DomainError invalid_request if there is none; invalid_value
 */
export function changedBusinessFields(request: UpdateBusinessRequest): Partial<BusinessFields & { name: string }> {
  const { name, description, industry, website, language, profile, resetFields } = request;
  const changes = { ...without({ name, description, industry, website, language }), ...givenOf(profile), ...defaultsOf(resetFields) };
  if (Object.keys(changes).length === 0) throw new DomainError('invalid_request', 'Provide at least one field to update.');
  checkFields(changes);
  return changes;
}

function givenOf(profile: BusinessProfile | undefined): Partial<BusinessFields> {
  return without({
    tone: profile?.tone,
    writing_rules: profile?.writingRules?.items,
    palette: profile?.palette?.items,
    fonts: profile?.fonts?.items,
    logo_media_id: profile?.logoMediaId,
    timezone: profile?.timezone,
    default_creative_formats: profile?.defaultCreativeFormats?.items,
    default_aspect_ratio: profile?.defaultAspectRatio,
    include_stock: profile?.includeStock,
    link_tracking: profile?.linkTracking,
    misfire_policy: profile?.misfirePolicy,
    misfire_limit_minutes: profile?.misfireLimitMinutes,
  });
}

function defaultsOf(names: readonly string[]): Partial<BusinessFields> {
  const unknown = names.find((name) => !Object.hasOwn(BUSINESS_DEFAULTS, name));
  if (unknown !== undefined)
    throw new DomainError('invalid_value', 'This field has no default value and cannot be reset.', { param: unknown });
  return Object.fromEntries(names.map((name) => [name, BUSINESS_DEFAULTS[name as keyof BusinessFields]]));
}

function checkFields({ timezone, misfire_limit_minutes: limit }: Partial<BusinessFields>): void {
  if (timezone !== undefined && !isTimeZone(timezone)) {
    throw new DomainError('invalid_value', 'timezone must be an IANA time zone, such as Europe/Berlin.', { param: 'timezone' });
  }
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > MAX_MISFIRE_LIMIT_MINUTES)) {
    throw new DomainError('invalid_value', `misfire_limit_minutes must be a whole number from 1 to ${MAX_MISFIRE_LIMIT_MINUTES}.`, {
      param: 'misfire_limit_minutes',
    });
  }
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const without = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
