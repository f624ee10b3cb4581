import { DomainError, notFound } from '@fanfare/errors';
import { asDomainError } from '../designs/draw-design.ts';
import { cachedPreviews } from '../rendering/cached-previews.ts';
import { RenderTooSlow } from '../rendering/renderer.ts';
import { BUILTIN_TEMPLATES } from '../templates/builtin-templates.ts';
import { findTemplateByToken } from '../templates/store/own-templates.ts';
import { ASPECT_RATIOS } from '../templates/template.ts';
import type { Rpc } from './rpc.ts';

export const getTemplatePreview: Rpc<'getTemplatePreview'> = ({ db, renderer }) => {
  const previewOf = cachedPreviews(renderer);
  return async ({ templateId, token, aspectRatio }) => {
    const ratio = ASPECT_RATIOS.find((one) => one === aspectRatio);
    const template = token === '' ? BUILTIN_TEMPLATES.get(templateId) : (await findTemplateByToken(db, templateId, token))?.definition;
    if (!ratio || !template) throw notFound('preview');
    const image = await previewOf(templateId, template, ratio).catch((error: unknown) => {
      if (error instanceof RenderTooSlow)
        throw new DomainError('invalid_value', 'This template takes too long to render.', { cause: error });
      throw asDomainError(error, 1);
    });
    return { image: Buffer.from(image) };
  };
};
