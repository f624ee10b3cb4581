import type { Business } from '@fanfare/contracts/content';
import type { CreateDesignRequest } from '@fanfare/contracts/generation/designs';
import { DomainError } from '@fanfare/errors';
import { isDuplicateKey } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import { readBusiness } from '../business.ts';
import type { Context } from '../context.ts';
import { emitDesignsChanged } from './emit-designs-changed.ts';
import { discardUploads, keepUploads } from '../media/store/uploads.ts';
import { BUILTIN_TEMPLATES } from '../templates/builtin-templates.ts';
import { findTemplate, type KnownTemplate } from '../templates/find-template.ts';
import { checkFonts, checkPages, checkPalette, checkRatio } from './check-design.ts';
import type { DesignContent, DesignDocument } from './design.ts';
import { drawDesign } from './draw-design.ts';
import { findCreatedDesign, insertDesigns } from './store/designs.ts';

/**
 * Renders a design and stores it with its event. A repeated request gets the stored design.
 * @throws DomainError
 */
export async function createDesign(context: Context, request: CreateDesignRequest, metadata: CallMetadata): Promise<DesignDocument> {
  const { db } = context;
  const { designId } = request;
  const before = await findCreatedDesign(db, metadata, designId);
  if (before) return before;

  const business = await readBusiness(context, metadata);
  const content = await newContent(context, request, business, metadata);
  const owner = { businessName: business.name, language: business.language };
  const { media } = await drawDesign(context, content, owner, metadata, { operationId: designId, format: 'png' });
  const at = now(metadata.organizationId);
  const design: DesignDocument = {
    ...{ _id: designId, organization_id: metadata.organizationId, business_id: metadata.businessId },
    ...{ created_at: at, updated_at: at, revision: 1, name: request.name, ...content, media, deleted: false },
  };
  const mediaIds = media.map(({ id }) => id);
  try {
    await context.transact(async (session) => {
      await insertDesigns(db, [design], session);
      await keepUploads(db, mediaIds, session);
      await emitDesignsChanged(db, session, [design], metadata);
    });
  } catch (error) {
    // Another process completed the same operation first, with the same media files.
    const winner = isDuplicateKey(error) ? await findCreatedDesign(db, metadata, designId) : null;
    if (winner) return winner;
    await discardUploads(db, metadata, mediaIds);
    throw error;
  }
  return design;
}

async function newContent(
  { db }: Context,
  request: CreateDesignRequest,
  business: Business,
  metadata: CallMetadata,
): Promise<DesignContent> {
  const template = await givenTemplate(db, metadata, request.templateId);
  const { palette, fonts, logoMediaId } = request;
  const logo = logoMediaId ?? business.logoMediaId ?? '';
  return {
    ...contentOf(template),
    aspect_ratio: checkRatio(request.aspectRatio === '' ? business.defaultAspectRatio : request.aspectRatio),
    pages: checkPages(request.pages, template),
    palette: checkPalette(palette?.items ?? business.palette),
    fonts: fonts ? checkFonts(fonts.items) : business.fonts,
    logo_media_id: logo === '' ? null : logo,
  };
}

/** @throws DomainError invalid_value */
export async function givenTemplate(db: Context['db'], metadata: CallMetadata, id: string): Promise<KnownTemplate> {
  const template = await findTemplate(db, metadata, id);
  if (template) return template;
  throw new DomainError('invalid_value', 'This business has no template with this id.', { param: 'template_id' });
}

/** Designs contain a copy of a custom template, because it can be deleted. */
export const contentOf = ({ id, definition }: KnownTemplate): Pick<DesignContent, 'template_id' | 'template'> => ({
  template_id: id,
  ...(!BUILTIN_TEMPLATES.has(id) && { template: definition }),
});
