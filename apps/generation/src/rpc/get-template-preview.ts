import { DomainError, notFound } from '@fanfare/errors';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { asDomainError } from '../designs/draw-design.ts';
import { RenderTooSlow } from '../rendering/renderer.ts';
import { renderPreview } from '../rendering/render-preview.ts';
import { BUILTIN_TEMPLATES } from '../templates/builtin-templates.ts';
import { findTemplateByToken } from '../templates/store/own-templates.ts';
import { ASPECT_RATIOS, type AspectRatio, type Template } from '../templates/template.ts';
import type { Rpc } from './rpc.ts';

const MOST_CACHED = 200;

export const getTemplatePreview: Rpc<'getTemplatePreview'> = ({ db, renderer }) => {
  const previewOf = cachedPreviews(renderer);
  return async ({ templateId, token, aspectRatio }) => {
    const ratio = ASPECT_RATIOS.find((one) => one === aspectRatio);
    const template = token === '' ? BUILTIN_TEMPLATES.get(templateId) : (await findTemplateByToken(db, templateId, token))?.definition;
    if (!ratio || !template) throw notFound('preview');
    return { image: Buffer.from(await previewOf(templateId, template, ratio)) };
  };
};

/** Templates do not change, so that each preview is rendered once, also for requests at the same time. One that takes too long is not tried again either. */
function cachedPreviews(renderer: Context['renderer']) {
  const cache = new LRUCache<string, Promise<Uint8Array>>({ max: MOST_CACHED });
  return async (id: string, template: Template, ratio: AspectRatio): Promise<Uint8Array> => {
    const key = `${id} ${ratio}`;
    const rendering = cache.get(key) ?? renderPreview(renderer, template, ratio);
    cache.set(key, rendering);
    try {
      return await rendering;
    } catch (error) {
      if (error instanceof RenderTooSlow)
        throw new DomainError('invalid_value', 'This template takes too long to render.', { cause: error });
      cache.delete(key);
      throw asDomainError(error, 1);
    }
  };
}
