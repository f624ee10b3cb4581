import { notFound } from '@fanfare/errors';
import { renderPreview } from '../rendering/render-preview.ts';
import { BUILTIN_TEMPLATES } from '../templates/builtin-templates.ts';
import { findTemplateByToken } from '../templates/store/own-templates.ts';
import { ASPECT_RATIOS } from '../templates/template.ts';
import type { Rpc } from './rpc.ts';

export const getTemplatePreview: Rpc<'getTemplatePreview'> =
  ({ db, renderer }) =>
  async ({ templateId, token, aspectRatio }) => {
    const ratio = ASPECT_RATIOS.find((one) => one === aspectRatio);
    const template = token === '' ? BUILTIN_TEMPLATES.get(templateId) : (await findTemplateByToken(db, templateId, token))?.definition;
    if (!ratio || !template) throw notFound('preview');
    return { image: Buffer.from(await renderPreview(renderer, template, ratio)) };
  };
