import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { boxOf, CANVAS_SIZES, type AspectRatio, type Page, type TextLayer, type TextSlot } from '../templates/template.ts';
import { fillStyle } from './paint/fill-style.ts';
import { paintImage } from './paint/paint-image.ts';
import { paintLogo } from './paint/paint-logo.ts';
import { paintShape } from './paint/paint-shape.ts';
import { paintTexts, type PaintedText, type Texts } from './paint/paint-texts.ts';
import { readsRightToLeft } from './text/break-units.ts';
import type { Theme } from './paint/theme.ts';

/** The content of a page. */
export interface PageContent {
  readonly texts: Readonly<Partial<Record<TextSlot, string>>>;
  readonly image: Canvas | undefined;
  readonly page: number;
  readonly pages: number;
}

/** The business's look. */
export interface Look {
  readonly theme: Theme;
  /** Font families of headings, then of text. */
  readonly fonts: readonly string[];
  readonly logo: Canvas | undefined;
  readonly businessName: string;
  /** BCP 47 language of the texts. */
  readonly language: string;
}

/** Paints a page of a template. Reads nothing and uses no randomness: the same input gives the same image. */
export function paintPage(page: Page, ratio: AspectRatio, content: PageContent, look: Look): { canvas: Canvas; texts: PaintedText[] } {
  const [width, height] = CANVAS_SIZES[ratio];
  const shorterSide = Math.min(width, height);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const { theme, fonts, language } = look;
  // In right-to-left languages, pages are mirrored.
  const isRightToLeft = readsRightToLeft(mainFirst(content.texts), language);
  const style = { theme, fonts, language, isRightToLeft, shorterSide, textScale: page.text_scale?.[ratio] ?? 1 };
  const whole = { x: 0, y: 0, width, height };
  context.fillStyle = fillStyle(context, page.background, theme, whole);
  context.fillRect(0, 0, width, height);
  const texts: PaintedText[] = [];
  for (const layer of page.layers) {
    const placed = boxOf(page, layer.id, ratio);
    const box = isRightToLeft ? { ...placed, x: width - placed.x - placed.width } : placed;
    if (layer.kind === 'shape') paintShape(context, layer, box, theme, shorterSide);
    else if (layer.kind === 'image') paintImage(context, layer, content.image, box, theme, shorterSide);
    else if (layer.kind === 'logo') texts.push(...paintLogo(context, layer, look, box, style));
    else texts.push(...paintTexts(context, textsOf(layer, content, look), box, style));
  }
  return { canvas, texts };
}

/** The texts that say most first: a Latin brand name in a label does not turn a Hebrew page around. */
const mainFirst = (texts: PageContent['texts']): string[] => MAIN_FIRST.flatMap((slot) => texts[slot] ?? []);
const MAIN_FIRST = [
  'headline',
  'quote',
  'top',
  'body',
  'bottom',
  'cta',
  'label',
  'author',
  'number',
] as const satisfies readonly TextSlot[];

function textsOf({ align, valign, items }: TextLayer, { texts, page, pages }: PageContent, { businessName }: Look): Texts {
  const replace = (text: string) =>
    text
      .replaceAll('{page}', String(page))
      .replaceAll('{pages}', String(pages))
      .replaceAll('{business_name}', () => businessName);
  return {
    align,
    valign,
    items: items.flatMap((item) => {
      const given = [item.slot, item.otherwise].flatMap((slot) => (slot ? [texts[slot] ?? ''] : []));
      const text = item.slot === undefined ? replace(item.text ?? '') : (given.find((one) => one.trim() !== '') ?? '');
      return text.trim() === '' ? [] : [{ item, text }];
    }),
  };
}
