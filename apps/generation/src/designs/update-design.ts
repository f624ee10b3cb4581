import type { UpdateDesignRequest } from '@fanfare/contracts/generation/designs';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { readBusiness } from '../business.ts';
import type { Context } from '../context.ts';
import { emitDesignsChanged } from './emit-designs-changed.ts';
import { discardUploads, keepUploads, retireRenderings } from '../media/store/uploads.ts';
import { BUILTIN_TEMPLATES } from '../templates/builtin-templates.ts';
import type { KnownTemplate } from '../templates/find-template.ts';
import { checkFonts, checkPages, checkPalette, checkRatio } from './check-design.ts';
import { contentOf, givenTemplate } from './create-design.ts';
import type { DesignContent, DesignDocument } from './design.ts';
import { drawDesign } from './draw-design.ts';
import { editDesign, getDesign } from './store/designs.ts';
import { toDesign } from './to-design.ts';

/**
 * Changes a design, renders it again, and emits an event for the posts that use it. A repeated operation changes nothing.
 * @throws DomainError
 */
export async function updateDesign(context: Context, request: UpdateDesignRequest, metadata: CallMetadata): Promise<DesignDocument> {
  const { db } = context;
  const { designId, operationId, expectedRevisions } = request;
  const before = await getDesign(db, metadata, designId);
  if (before.operation_ids?.includes(operationId)) return before;
  if (expectedRevisions.length > 0 && !expectedRevisions.includes(before.revision))
    throw new DomainError(
      'precondition_failed',
      'The design has changed since you read it. Read it again and retry with its current ETag.',
    );

  const after = await changedContent(db, before, request, metadata);
  const name = request.name ?? before.name;
  const isDrawn = after !== undefined;
  if (!isDrawn && request.name === undefined) throw new DomainError('invalid_request', 'Provide at least one field to update.');
  const media = isDrawn ? await draw(context, after, operationId, metadata) : before.media;

  // The design must not have changed while it was rendered.
  const edit = { operationId, expectedRevisions: [before.revision], at: now(metadata.organizationId) };
  try {
    return await context.transact(async (session) => {
      const design = await editDesign(db, metadata, designId, { name, ...after, media }, edit, session);
      if (isDrawn) {
        await keepUploads(db, idsOf(media), session);
        const mediaIds = without(idsOf(before.media), idsOf(media));
        await retireRenderings(db, metadata, designId, { mediaIds, inMs: context.config.uploads.retiredMs }, session);
      }
      await emitDesignsChanged(db, session, [design], metadata);
      return design;
    });
  } catch (error) {
    if (isDrawn) await discardUploads(db, metadata, idsOf(media));
    throw error;
  }
}

async function draw(context: Context, content: DesignContent, operationId: string, metadata: CallMetadata) {
  const { name: businessName, language } = await readBusiness(context, metadata);
  const { media } = await drawDesign(context, content, { businessName, language }, metadata, { operationId, format: 'png' });
  return media;
}

/** Undefined if the request changes nothing that is rendered. */
async function changedContent(
  db: Db,
  before: DesignDocument,
  request: UpdateDesignRequest,
  metadata: CallMetadata,
): Promise<DesignContent | undefined> {
  const { templateId, aspectRatio, pages, palette, fonts, logoMediaId } = request;
  if ([templateId, aspectRatio, pages, palette, fonts, logoMediaId].every((given) => given === undefined)) return undefined;
  const template = templateId === undefined ? templateOf(before) : await givenTemplate(db, metadata, templateId);
  return {
    ...contentOf(template),
    aspect_ratio: aspectRatio === undefined ? before.aspect_ratio : checkRatio(aspectRatio),
    // Another template has other slots. Texts that were accepted before a limit of today stay.
    pages: pages || templateId !== undefined ? checkPages(pages?.items ?? toDesign(before).pages, template) : before.pages,
    palette: palette ? checkPalette(palette.items) : before.palette,
    fonts: fonts ? checkFonts(fonts.items) : before.fonts,
    logo_media_id: logoMediaId === undefined ? before.logo_media_id : logoMediaId || null,
  };
}

function templateOf({ template_id: id, template }: DesignDocument): KnownTemplate {
  const definition = BUILTIN_TEMPLATES.get(id) ?? template;
  if (!definition) throw new DomainError('internal_error', `Template ${id} no longer exists.`);
  return { id, definition, own: undefined };
}

const idsOf = (media: readonly { readonly id: string }[]) => media.map(({ id }) => id);
const without = (all: readonly string[], others: readonly string[]) => all.filter((id) => !others.includes(id));
