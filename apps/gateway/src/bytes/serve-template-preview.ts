import { createHash } from 'node:crypto';
import { DomainError, notFound } from '@fanfare/errors';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { stateOf } from '../http/request/request-state.ts';

/** `/templates/{id}/{ratio}.webp`; for an own template, with its token before the ratio. */
const PATH = /^\/([\w-]{1,64})(?:\/([\w-]{1,64}))?\/(\d{1,2})x(\d{1,2})\.webp$/;
const CACHE_BYTES = 4 << 20;
const TIMEOUT_MS = 20_000;

interface Preview {
  readonly image: Buffer;
  readonly etag: string;
}

/** Serves previews of templates publicly: built-in ones to everyone, own ones to anyone with their token. */
export function serveTemplatePreview({ generation }: Pick<Context, 'generation'>): RequestHandler {
  const cache = new LRUCache<string, Preview>({ maxSize: CACHE_BYTES, sizeCalculation: ({ image }) => image.length });
  return async (request, response) => {
    const state = stateOf(response);
    state.route = '/templates/*';
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      throw new DomainError('method_not_allowed', 'Previews of templates support only GET and HEAD.');
    }
    const [, templateId, token = '', width, height] = PATH.exec(request.path) ?? [];
    if (templateId === undefined) throw notFound('preview');
    let preview = cache.get(request.path);
    if (!preview) {
      const metadata = { organizationId: '', businessId: '', actor: 'anonymous', requestId: state.requestId, flowId: state.flowId };
      const wanted = { templateId, token, aspectRatio: `${width}:${height}` };
      const { image } = await generation.getTemplatePreview(wanted, { call: { metadata }, timeoutMs: TIMEOUT_MS });
      const digest = createHash('sha256').update(image).digest('base64url').slice(0, 22);
      preview = { image: Buffer.from(image), etag: `"${digest}"` };
      cache.set(request.path, preview);
    }
    response.set({ 'Content-Type': 'image/webp', 'Cache-Control': 'public, max-age=86400', ETag: preview.etag });
    if (request.headers['if-none-match'] === preview.etag) response.status(304).end();
    else response.end(preview.image);
  };
}
