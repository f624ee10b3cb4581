import type { Business, LinkTracking } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import {
  after,
  editOnce,
  isDuplicateKey,
  jsonBytes,
  pageWithin,
  readerById,
  parsePageToken,
  type Edit,
  type Editable,
  type Page,
} from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import { BUSINESS_DEFAULTS, type BusinessFields } from '../business-fields.ts';

/** Documents of earlier versions lack the profile fields; the defaults apply to them. */
export interface BusinessDocument extends Editable, Partial<BusinessFields> {
  /** Never changes: the gateway caches it. */
  organization_id: string;
  created_at: Date;
  name: string;
}

const businesses = (db: Db) => db.collection<BusinessDocument>('businesses');

export async function createBusinessIndexes(db: Db): Promise<void> {
  await businesses(db).createIndex({ organization_id: 1, created_at: -1, _id: -1 });
}

/** Adds the fields that businesses of earlier versions lack. */
export async function completeBusinesses(db: Db): Promise<void> {
  const complete = Object.entries({ revision: 1, ...BUSINESS_DEFAULTS }).map(
    ([field, value]) => [field, { $ifNull: [`$${field}`, { $literal: value }] }] as const,
  );
  await businesses(db).updateMany({ revision: { $exists: false } }, [{ $set: Object.fromEntries(complete) }]);
}

/** Returns the stored document, whether this call or an earlier one with the same id stored it. */
export async function insertBusiness(db: Db, document: BusinessDocument): Promise<BusinessDocument> {
  try {
    await businesses(db).insertOne(document);
    return document;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const before = await businesses(db).findOne({ _id: document._id, organization_id: document.organization_id });
    if (!before) throw error;
    return before;
  }
}

/** @throws DomainError precondition_failed */
export async function updateBusiness(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
  changes: Partial<BusinessFields & { name: string }>,
  edit: Edit,
  session: ClientSession,
): Promise<BusinessDocument | null> {
  return editOnce(businesses(db), { _id: id, organization_id: organizationId }, changes, edit, session);
}

export const findBusiness = readerById(businesses);

/** The ids of the businesses of an organization. */
export async function findBusinessIds(db: Db, organizationId: string): Promise<string[]> {
  const found = await businesses(db)
    .find({ organization_id: organizationId }, { projection: { _id: 1 } })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** The time zone of a business, for what has none of its own. */
export async function findTimezone(db: Db, id: string): Promise<string> {
  return (await findBusiness(db, id))?.timezone ?? 'UTC';
}

/** The link tracking of a business. */
export async function findLinkTracking(db: Db, id: string): Promise<LinkTracking | undefined> {
  return (await findBusiness(db, id))?.link_tracking ?? undefined;
}

/** The fields of a business that decide how its posts are published. */
export type PublishingRules = Pick<BusinessFields, 'link_tracking' | 'misfire_policy' | 'misfire_limit_minutes'>;

/** The publishing rules of several businesses, read in the transaction. */
export async function listPublishingRules(
  db: Db,
  ids: readonly string[],
  session: ClientSession,
): Promise<(businessId: string) => PublishingRules> {
  const projection = { link_tracking: 1, misfire_policy: 1, misfire_limit_minutes: 1 };
  const found = await businesses(db)
    .find({ _id: { $in: [...ids] } }, { session, projection })
    .toArray();
  const rules = new Map(found.map((business) => [business._id, { ...BUSINESS_DEFAULTS, ...business }]));
  return (businessId) => rules.get(businessId) ?? BUSINESS_DEFAULTS;
}

/**
 * Lists the businesses of several organizations in one order: MongoDB merges one index range for each organization, and reads no more than the page.
 * Names match as in MongoDB's case-insensitive regular expressions: letter by letter, in every script. É matches é, but ß does not match SS.
 */
export async function listBusinesses(
  db: Db,
  query: { organizationIds: readonly string[]; name: string; pageSize: number; pageToken: string },
): Promise<Page<BusinessDocument>> {
  const { name, pageSize, pageToken } = query;
  const organizationIds = [...new Set(query.organizationIds)].sort();
  if (name.includes('\0')) throw new DomainError('invalid_value', 'A name cannot contain a NUL character.', { param: 'name' });
  const binding = ['businesses', organizationIds, name];
  const find = businesses(db)
    .find({
      organization_id: { $in: organizationIds },
      ...(name === '' ? {} : { name: { $regex: escapeRegExp(name), $options: 'i' } }),
      ...after(parsePageToken(pageToken, binding)),
    })
    .sort({ created_at: -1, _id: -1 });
  return pageWithin(find, pageSize, binding, summaryBytes);
}

export function toBusiness(document: BusinessDocument): Business {
  const fields = { ...BUSINESS_DEFAULTS, ...document };
  return {
    id: document._id,
    organizationId: document.organization_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    revision: document.revision ?? 1,
    name: document.name,
    description: fields.description,
    industry: fields.industry,
    website: fields.website,
    language: fields.language,
    tone: fields.tone,
    writingRules: fields.writing_rules,
    palette: fields.palette,
    fonts: fields.fonts,
    logoMediaId: fields.logo_media_id ?? undefined,
    timezone: fields.timezone,
    defaultCreativeFormats: fields.default_creative_formats,
    defaultAspectRatio: fields.default_aspect_ratio,
    includeStock: fields.include_stock,
    linkTracking: fields.link_tracking ?? undefined,
    misfirePolicy: fields.misfire_policy,
    misfireLimitMinutes: fields.misfire_limit_minutes,
  };
}

/** A list shows summaries. Half a kilobyte covers field names, ids and times. */
const summaryBytes = ({ name, description = '', industry = '', website = '' }: BusinessDocument) =>
  512 + jsonBytes(name) + jsonBytes(description) + jsonBytes(industry) + jsonBytes(website);

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
