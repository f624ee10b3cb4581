import type { Canvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { decodeImage } from './decode-image.ts';
import { paintPage } from './paint-page.ts';
import type { FileFormat, LookOrder, PageOrder, Rendered } from './renderer.ts';

/** Draws a page and encodes it. @throws RenderRejected */
export async function drawPage(order: PageOrder, look: LookOrder, format: FileFormat, width?: number): Promise<Rendered> {
  const { page, ratio, texts, number, of } = order;
  const canvases: Canvas[] = [];
  const decoded = async (bytes: Uint8Array | undefined, what: 'image' | 'logo') => {
    if (!bytes) return undefined;
    const canvas = await decodeImage(bytes, what);
    canvases.push(canvas);
    return canvas;
  };
  try {
    const image = await decoded(order.image, 'image');
    const logo = await decoded(look.logo, 'logo');
    const painted = paintPage(page, ratio, { texts, image, page: number, pages: of }, { ...look, logo });
    canvases.push(painted.canvas);
    const { data, info } = await encoded(painted.canvas, format, width);
    const contrasts = painted.texts.map(({ contrast }) => contrast);
    return { bytes: data, width: info.width, height: info.height, contrast: contrasts.length > 0 ? Math.min(...contrasts) : undefined };
  } finally {
    for (const canvas of canvases) free(canvas);
  }
}

/** Frees the pixels of a canvas, several megabytes outside of the heap: the garbage collector would notice them too late. */
function free(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}

/** Encodes with libvips, which takes a third of the time of the canvas's own encoder. */
function encoded(canvas: Canvas, format: FileFormat, width: number | undefined) {
  const raw = { width: canvas.width, height: canvas.height, channels: 4 } as const;
  // Pages are opaque.
  const pixels = sharp(canvas.data(), { raw }).removeAlpha();
  const sized = width === undefined ? pixels : pixels.resize({ width });
  const file = {
    png: () => sized.png({ compressionLevel: 6 }),
    jpeg: () => sized.jpeg({ quality: 90 }),
    webp: () => sized.webp({ quality: 88 }),
  };
  return file[format]().toBuffer({ resolveWithObject: true });
}
