import type { RenderDesignRequest } from '@fanfare/contracts/generation/designs';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { readBusiness } from '../business.ts';
import type { Context } from '../context.ts';
import { keepUploads } from '../media/store/uploads.ts';
import type { StoredMedia } from '../media/stored-media.ts';
import type { FileFormat } from '../rendering/renderer.ts';
import { checkRatio } from './check-design.ts';
import { drawDesign } from './draw-design.ts';
import { getDesign } from './store/designs.ts';

const FILE_FORMATS: readonly FileFormat[] = ['png', 'jpeg', 'webp'];

/** Renders a design once more, in another format or aspect ratio, for the caller. The design does not change. */
export async function renderDesign(
  context: Context,
  { renderId, designId, aspectRatio, fileFormat }: RenderDesignRequest,
  metadata: CallMetadata,
): Promise<StoredMedia[]> {
  const { db } = context;
  const design = await getDesign(db, metadata, designId);
  const format = FILE_FORMATS.find((one) => one === (fileFormat === '' ? 'png' : fileFormat));
  if (!format) throw new DomainError('invalid_value', `file_format must be one of ${FILE_FORMATS.join(', ')}.`, { param: 'file_format' });
  const { name: businessName, language } = await readBusiness(context, metadata);
  const content = { ...design, ...(aspectRatio !== '' && { aspect_ratio: checkRatio(aspectRatio) }) };
  const options = { operationId: renderId, format };
  const { media } = await drawDesign(context, content, { businessName, language }, metadata, options);
  // The media files belong to the caller now.
  const mediaIds = media.map(({ id }) => id);
  await context.transact((session) => keepUploads(db, mediaIds, session));
  return media;
}
