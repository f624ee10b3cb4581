import { LRUCache } from 'lru-cache';
import type { AspectRatio, Template } from '../templates/template.ts';
import { renderPreview } from './render-preview.ts';
import { RenderTooSlow } from './renderer.ts';
import type { Context } from '../context.ts';

const MOST_CACHED = 200;

/** Templates do not change, so that each preview is rendered once, also for requests at the same time. One that takes too long is not tried again either. */
export function cachedPreviews(renderer: Context['renderer']) {
  const cache = new LRUCache<string, Promise<Uint8Array>>({ max: MOST_CACHED });
  return async (id: string, template: Template, ratio: AspectRatio): Promise<Uint8Array> => {
    const key = `${id} ${ratio}`;
    const rendering = cache.get(key) ?? renderPreview(renderer, template, ratio);
    cache.set(key, rendering);
    try {
      return await rendering;
    } catch (error) {
      if (!(error instanceof RenderTooSlow)) cache.delete(key);
      throw error;
    }
  };
}
