import { DomainError } from '@fanfare/errors';
import { readBusiness } from '../business.ts';
import { checkRatio } from '../designs/check-design.ts';
import { drawDesign } from '../designs/draw-design.ts';
import { getDesign } from '../designs/store/designs.ts';
import { keepUploads } from '../media/store/uploads.ts';
import type { FileFormat } from '../rendering/renderer.ts';
import type { Rpc } from './rpc.ts';

const FILE_FORMATS: readonly FileFormat[] = ['png', 'jpeg', 'webp'];

export const renderDesign: Rpc<'renderDesign'> =
  (context) =>
  async ({ renderId, designId, aspectRatio, fileFormat }, { metadata }) => {
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
    return { media: media.map(({ id, url }) => ({ mediaId: id, url })) };
  };
