import type { SKRSContext2D } from '@napi-rs/canvas';
import type { TextItem, TextSlot } from '../../templates/template.ts';
import { familyOr, type Family } from '../fonts/families.ts';
import { drawableEmoji } from '../fonts/drawable-emoji.ts';
import { fontStack } from '../fonts/font-stack.ts';
import { joinsLetters } from '../text/break-units.ts';
import { layOut, type Bounds, type Ink, type LaidOutItem, type LayoutOptions } from '../text/lay-out.ts';
import { colourOf, type Theme } from './theme.ts';
import { contrastOn, LEAST_CONTRAST, mostReadable, readBackdrop } from './contrast.ts';
import { fillStyle } from './fill-style.ts';

export interface TextStyle {
  readonly theme: Theme;
  /** Font families of the business: of headings, then of text. */
  readonly fonts: readonly string[];
  readonly language: string;
  /** Whether the page reads from right to left. */
  readonly isRightToLeft: boolean;
  readonly shorterSide: number;
  /** Multiplies sizes, paddings and spaces. */
  readonly textScale: number;
}

/** The result of painting a text. */
export interface PaintedText {
  readonly slot: TextSlot | undefined;
  readonly text: string;
  /** Pixels. */
  readonly size: number;
  /** The lowest contrast with the background, 1 to 21. */
  readonly contrast: number;
  readonly bounds: Bounds;
}

export interface Texts {
  readonly align: LayoutOptions['align'];
  readonly valign: LayoutOptions['valign'];
  readonly items: readonly { readonly item: TextItem; readonly text: string }[];
}

/** As a share of the shorter side: still legible on a phone. */
const READABLE = 0.026;
/** Of the size. Letters that the bold display font does not have are thinner, and have more details. */
const OUTLINE = { bold: 0.11, thin: 0.065 };
/** The weight of the letters that the display font does not have. */
const DISPLAY_WEIGHT = 800;

/** Lays texts out in a box and paints them with enough contrast to what is already painted. */
export function paintTexts(context: SKRSContext2D, { align, valign, items }: Texts, box: Bounds, style: TextStyle): PaintedText[] {
  const { theme, language, isRightToLeft } = style;
  const shorterSide = style.shorterSide * style.textScale;
  const drawn = items.map(({ item, text }) => ({ item, text: drawableEmoji(context, item.uppercase ? upperCase(text, language) : text) }));
  const fonts = drawn.map(({ item, text }) => fontStack(familyOf(item, style.fonts), text, language));
  /** By the whole text of an item, so that its words are measured as they are drawn. */
  const setFont = (index: number, size: number) => {
    const { item, text: whole } = drawn[index] as (typeof drawn)[number];
    const weight = item.font === 'display' && !isLatin(whole) ? DISPLAY_WEIGHT : item.weight;
    context.font = `${weight} ${size}px ${fonts[index]}`;
    context.letterSpacing = joinsLetters(whole) ? '0px' : `${(item.tracking / 100) * size}px`;
    context.textAlign = 'left';
    context.textBaseline = 'alphabetic';
  };
  const outlineOf = (index: number, size: number): number => {
    const { item, text } = drawn[index] as (typeof drawn)[number];
    return item.outline ? (isLatin(text) ? OUTLINE.bold : OUTLINE.thin) * size : 0;
  };
  const measure = (index: number, text: string, size: number): Ink => {
    setFont(index, size);
    const line = outlineOf(index, size) / 2;
    const { width, actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } =
      context.measureText(text);
    return {
      advance: width + line,
      left: Math.max(0, actualBoundingBoxLeft) + line,
      right: Math.max(0, actualBoundingBoxRight) + line,
      ascent: Math.max(0, actualBoundingBoxAscent) + line,
      descent: Math.max(0, actualBoundingBoxDescent) + line,
    };
  };
  const laidOut = layOut(
    drawn.map(({ item, text }) => ({
      text,
      size: (item.size / 100) * shorterSide,
      lineHeight: item.line_height,
      space: (item.space / 100) * shorterSide,
      padding: ((item.plate?.padding ?? 0) / 100) * shorterSide,
    })),
    { box, align, valign, language, isRightToLeft, readableSize: READABLE * style.shorterSide },
    measure,
  );
  return laidOut.map((laid, index) => {
    const { item, text } = drawn[index] as (typeof drawn)[number];
    const bounds = { ...laid.bounds, x: box.x + laid.bounds.x, y: box.y + laid.bounds.y };
    const { colour, contrast } = prepare(context, item, bounds, laid, theme, shorterSide);
    for (const line of laid.lines) {
      setFont(index, laid.size);
      context.direction = line.isRightToLeft ? 'rtl' : 'ltr';
      const [x, y] = [box.x + line.x, box.y + line.baseline];
      if (item.outline) {
        context.strokeStyle = opposite(colour);
        context.lineWidth = outlineOf(index, laid.size);
        context.lineJoin = 'round';
        context.strokeText(line.text, x, y);
      }
      context.fillStyle = colour;
      context.fillText(line.text, x, y);
    }
    return { slot: item.slot, text, size: laid.size, contrast, bounds };
  });
}

const isLatin = (text: string): boolean => !/\p{L}/u.test(text.replaceAll(/\p{Script=Latin}/gu, ''));

const familyOf = ({ font }: TextItem, [heading, text]: readonly string[]): Family =>
  font === 'display' ? 'Anton' : font === 'heading' ? familyOr(heading, 'Montserrat') : familyOr(text ?? heading, 'Inter');

/** Upper case by the rules of the language: a Turkish i keeps its dot. */
function upperCase(text: string, language: string): string {
  try {
    return text.toLocaleUpperCase(language);
  } catch {
    return text.toUpperCase();
  }
}

const opposite = (colour: string): string => mostReadable(['#000000', '#ffffff'], { ...ofColour(colour) }).colour;
const ofColour = (colour: string) => {
  const brightness = contrastOn('#000000', { darkest: 1, lightest: 1 }) / contrastOn(colour, { darkest: 1, lightest: 1 });
  const own = Number.isFinite(brightness) ? (1.05 * brightness) / 21 - 0.05 : 1;
  return { darkest: own, lightest: own };
};

/** Paints the plate, and an overlay over the background if no color has enough contrast. @returns the color of the text */
function prepare(
  context: SKRSContext2D,
  item: TextItem,
  bounds: Bounds,
  { lines }: LaidOutItem,
  theme: Theme,
  shorterSide: number,
): { colour: string; contrast: number } {
  const preferred = colourOf(theme, item.colour);
  if (lines.length === 0) return { colour: preferred, contrast: 21 };
  if (item.outline) return { colour: preferred, contrast: contrastOn(preferred, ofColour(opposite(preferred))) };
  if (item.plate) {
    context.fillStyle = fillStyle(context, item.plate.paint, theme, bounds);
    context.beginPath();
    context.roundRect(
      bounds.x,
      bounds.y,
      bounds.width,
      bounds.height,
      Math.min((item.plate.radius / 100) * shorterSide, bounds.height / 2),
    );
    context.fill();
  }
  const colours = [preferred, theme.light, theme.dark, theme.primary, '#ffffff', '#000000'];
  const padding = ((item.plate?.padding ?? 0) / 100) * shorterSide;
  // Without the rounded corners of a plate.
  const behind = {
    x: bounds.x + padding,
    y: bounds.y + padding,
    width: bounds.width - 2 * padding,
    height: bounds.height - 2 * padding,
  };
  const { darkest, lightest } = readBackdrop(context, behind);
  let best = mostReadable(colours, { darkest, lightest });
  const veil = (darkest + lightest) / 2 < 0.4 ? '#000000' : '#ffffff';
  for (let times = 0; times < 8 && best.contrast < LEAST_CONTRAST; times++) {
    paintVeil(context, veil, bounds, shorterSide);
    best = mostReadable(colours, readBackdrop(context, behind));
  }
  return best;
}

function paintVeil(context: SKRSContext2D, colour: string, { x, y, width, height }: Bounds, shorterSide: number): void {
  const margin = shorterSide * 0.018;
  context.save();
  context.globalAlpha = 0.36;
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x - margin, y - margin, width + 2 * margin, height + 2 * margin, margin);
  context.fill();
  context.restore();
}
