import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { derivedId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { StoredMedia } from '../media/stored-media.ts';
import { readImages } from '../media/images.ts';
import { storeAllMedia } from '../media/store-media.ts';
import {
  RenderRejected,
  RendererBusy,
  RenderTooSlow,
  type FileFormat,
  type LookOrder,
  type PageOrder,
  type Rendered,
} from '../rendering/renderer.ts';
import { THEMES, themeOf } from '../rendering/paint/theme.ts';
import { BUILTIN_TEMPLATES } from '../templates/builtin-templates.ts';
import type { Template } from '../templates/template.ts';
import { pageAt } from '../templates/to-template.ts';
import type { DesignContent, DesignPage } from './design.ts';

type Parts = Pick<Context, 'config' | 'db' | 'library' | 'libraryBytes' | 'renderer'>;

/** The owner of the design. */
export interface Owner {
  readonly businessName: string;
  readonly language: string;
}

/** The ids of the media files derive from it. */
export interface DrawOptions {
  readonly operationId: string;
  readonly format: FileFormat;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Renders all pages of a design and stores them in the library. The caller must call `keepUploads` when it uses them.
 * @throws DomainError invalid_value for images that cannot be used, conflict if the renderer is busy, and the errors of the library
 */
export async function drawDesign(
  parts: Parts,
  design: DesignContent,
  owner: Owner,
  metadata: CallMetadata,
  { operationId, format, signal }: DrawOptions,
): Promise<{ media: StoredMedia[]; contrast: number | undefined }> {
  const { orders, look } = await ordersFor(parts, design, owner, metadata, signal);
  const rendered = await Promise.all(orders.map((order) => draw(parts, order, look, format, signal)));
  const files = rendered.map(({ bytes }, index) => {
    const id = derivedId(operationId, `page.${index}`);
    const page = design.pages[index];
    const fileName = `${design.template_id.slice(0, 40)}-${index + 1}.${EXTENSIONS[format]}`;
    return { id, bytes, fileName, altText: page ? altTextOf(page) : '', description: GENERATED };
  });
  const media = await storeAllMedia(parts, files, metadata, signal);
  const contrasts = rendered.flatMap(({ contrast }) => contrast ?? []);
  return { media, contrast: contrasts.length > 0 ? Math.min(...contrasts) : undefined };
}

const EXTENSIONS = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const satisfies Record<FileFormat, string>;
/** The description of generated media files in the library. It excludes them from the search for images of other posts. */
export const GENERATED = 'Made by Fanfare from a design.';

/** The orders for the renderer, with the design's images from the library. @throws DomainError invalid_value */
export async function ordersFor(
  parts: Pick<Context, 'library' | 'libraryBytes'>,
  design: DesignContent,
  { businessName, language }: Owner,
  metadata: CallMetadata,
  signal?: AbortSignal,
): Promise<{ orders: PageOrder[]; look: LookOrder }> {
  const template = templateOf(design);
  const { pages, palette, fonts, logo_media_id: logo, aspect_ratio: ratio } = design;
  const wanted = [
    ...pages.flatMap(({ image_media_id: id }, index) => (id === null ? [] : [{ id, param: `pages.${index}.image_media_id` }])),
    ...(logo === null ? [] : [{ id: logo, param: 'logo_media_id' }]),
  ];
  const images = await readImages(parts, wanted, metadata, signal);
  const imageOf = (id: string | null) => (id === null ? undefined : images.get(id));
  const orders = pages.map(({ texts, image_media_id }, index) => ({
    page: pageAt(template, index + 1, pages.length),
    ratio,
    texts,
    image: imageOf(image_media_id),
    number: index + 1,
    of: pages.length,
  }));
  const theme = palette.length > 0 ? themeOf('Own', palette) : themeFor(businessName);
  return { orders, look: { owner: metadata.organizationId, theme, fonts, logo: imageOf(logo), businessName, language } };
}

/** The theme of a business without a palette: always the same one for a business. */
function themeFor(businessName: string) {
  const sum = [...businessName].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return THEMES[sum % THEMES.length] ?? THEMES[0];
}

function templateOf({ template_id, template }: DesignContent): Template {
  const known = BUILTIN_TEMPLATES.get(template_id) ?? template;
  if (!known) throw new DomainError('internal_error', `Template ${template_id} no longer exists.`);
  return known;
}

async function draw(
  { renderer }: Parts,
  order: PageOrder,
  look: LookOrder,
  format: FileFormat,
  signal: AbortSignal | undefined,
): Promise<Rendered> {
  try {
    return await renderer.page(order, look, format, { signal });
  } catch (error) {
    throw asDomainError(error, order.number);
  }
}

/** The API error for an error of the renderer. */
export function asDomainError(error: unknown, page: number): unknown {
  if (error instanceof RenderTooSlow) return new DomainError('invalid_value', error.message, { param: 'template_id', cause: error });
  if (error instanceof RenderRejected) {
    const param = error.message.includes('logo') ? 'logo_media_id' : `pages.${page - 1}.image_media_id`;
    return new DomainError('invalid_value', error.message, { param, cause: error });
  }
  if (error instanceof RendererBusy)
    return new DomainError('conflict', 'Too many designs are being rendered. Retry in a moment.', { retryAfterSeconds: 2, cause: error });
  return error;
}

const altTextOf = ({ alt_text, texts }: DesignPage): string =>
  alt_text !== ''
    ? alt_text
    : Object.values(texts)
        .filter((text) => text.trim() !== '')
        .join('. ')
        .slice(0, 1_000);
