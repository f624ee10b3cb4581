import { sampleContent } from '../templates/sample-content.ts';
import type { AspectRatio, Template } from '../templates/template.ts';
import type { Renderer } from './renderer.ts';
import { THEMES } from './paint/theme.ts';

const WIDTH = 540;
/** Anybody can read previews, so that all of them together have the share of one owner. */
const PREVIEWS = 'previews';

/** The first page of a template with sample texts, as WebP. */
export async function renderPreview(renderer: Renderer, { page, name }: Template, ratio: AspectRatio): Promise<Uint8Array> {
  const { texts } = sampleContent(page, 'latin');
  const order = { page, ratio, texts, image: undefined, number: 1, of: 5 };
  const theme = THEMES[name.length % THEMES.length] ?? THEMES[0];
  const look = { owner: PREVIEWS, theme, fonts: [], logo: undefined, businessName: 'Padaria Aurora', language: 'en' };
  return (await renderer.page(order, look, 'webp', { width: WIDTH })).bytes;
}
