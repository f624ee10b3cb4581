import { breakUnits, graphemes, isRightToLeft, phraseUnits, uaxUnits, type Unit } from './break-units.ts';

/** The ink of a line of text at a size, in pixels from the point where it is drawn; positive means outwards. */
export interface Ink {
  readonly advance: number;
  readonly left: number;
  readonly right: number;
  readonly ascent: number;
  readonly descent: number;
}

/** Measures a line of an item at a font size. */
export type Measure = (item: number, text: string, size: number) => Ink;

export interface LayoutItem {
  readonly text: string;
  /** The largest font size in pixels. */
  readonly size: number;
  readonly lineHeight: number;
  /** Space above it in pixels; ignored for the first one. */
  readonly space: number;
  /** Padding of its plate on each side in pixels; 0 without a plate. */
  readonly padding: number;
}

export interface LayoutOptions {
  readonly box: { readonly width: number; readonly height: number };
  readonly align: 'start' | 'center' | 'end';
  readonly valign: 'top' | 'middle' | 'bottom';
  /** BCP 47. */
  readonly language: string;
  /** Whether lines start at the right side of the box. */
  readonly isRightToLeft: boolean;
  /** Texts do not get smaller than this while larger ones next to them can still shrink; pixels. */
  readonly readableSize: number;
}

interface Line {
  readonly text: string;
  /** The origin of its first letter, from the top left corner of the box. */
  readonly x: number;
  readonly baseline: number;
  readonly ink: Ink;
  readonly isRightToLeft: boolean;
}

export interface LaidOutItem {
  readonly size: number;
  readonly lines: readonly Line[];
  /** The bounds of its ink, with the plate's padding. */
  readonly bounds: Bounds;
}

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The font size at which lines are measured first. */
const REFERENCE = 100;
const STEP = 0.95;
/** Below this share of the largest size, phrases are broken instead of shrinking further. */
const BREAK_PHRASES_BELOW = 0.75;
/** Gap between the ink of two lines, as a share of the size. */
const LEAST_GAP = 0.06;
/** Height of capitals, as a minimum for lines of small letters. */
const CAPITAL = 0.72;

/**
 * Lays texts out in a box, one below the other, as large as they fit. Nothing leaves the box, no two lines touch, and words are broken only if they would
 * otherwise be illegibly small. Pure, except for `measure`.
 * @returns one for each item, in their order
 */
export function layOut(items: readonly LayoutItem[], options: LayoutOptions, measure: Measure): LaidOutItem[] {
  const paragraphs = items.map(({ text }, index) => toParagraphs(text, options.language, (piece) => measure(index, piece, REFERENCE)));
  for (const { sizes, level } of attempts(items, options.readableSize)) {
    const set = setItems(items, sizes, paragraphs, level, options, measure);
    if (set) return set;
  }
  // Draws nothing instead of drawing outside of the box.
  return items.map(() => ({ size: 0, lines: [], bounds: { x: 0, y: 0, width: 0, height: 0 } }));
}

/** Large texts shrink until all are as small as is readable. Only then are words broken, and finally all texts shrink further. */
function* attempts(items: readonly LayoutItem[], readable: number): Generator<{ sizes: number[]; level: Level }> {
  const least = items.map(({ size }) => Math.min(size, readable));
  const largest = Math.max(0, ...items.map(({ size }) => size));
  for (let scale = 1; largest * scale > readable; scale *= STEP)
    yield {
      sizes: items.map(({ size }, index) => Math.max(size * scale, least[index] ?? 0)),
      level: scale < BREAK_PHRASES_BELOW ? 'words' : 'phrases',
    };
  yield { sizes: least, level: 'words' };
  for (let scale = 1; scale > 0.01; scale *= STEP) yield { sizes: least.map((size) => size * scale), level: 'letters' };
}

interface MeasuredUnit extends Unit {
  /** At the reference size. */
  readonly width: number;
  readonly spaceWidth: number;
}
/** Where a paragraph can be broken. */
type Level = 'phrases' | 'words' | 'letters';
interface Paragraph {
  readonly isRightToLeft: boolean;
  unitsOf(level: 'phrases' | 'words'): readonly MeasuredUnit[];
  /** The words, of which those wider than a line are broken between letters. */
  brokenTo(width: number): readonly MeasuredUnit[];
}

function toParagraphs(text: string, language: string, measure: (text: string) => Ink): Paragraph[] {
  const widths = new Map<string, number>();
  const widthOf = (piece: string): number => {
    if (piece === '') return 0;
    const known = widths.get(piece);
    if (known !== undefined) return known;
    const { advance, left, right } = measure(piece);
    const width = Math.max(advance, left + right);
    widths.set(piece, width);
    return width;
  };
  const spaceWidth = (space: string) => (space === '' ? 0 : measure(`n${space}n`).advance - measure('nn').advance);
  const measured = ({ text: piece, space }: Unit): MeasuredUnit => ({
    text: piece,
    space,
    width: widthOf(piece),
    spaceWidth: spaceWidth(space),
  });
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .map((line) => {
      const made = new Map<Level, MeasuredUnit[]>();
      const unitsOf: Paragraph['unitsOf'] = (level) => {
        const known = made.get(level);
        if (known) return known;
        const units = (level === 'phrases' ? phraseUnits : breakUnits)(line, language).map(measured);
        made.set(level, units);
        return units;
      };
      const parted = (unit: MeasuredUnit, width: number, parts: readonly Unit[]): MeasuredUnit[] =>
        unit.width <= width ? [unit] : parts.map((part, at) => measured(at === parts.length - 1 ? { ...part, space: unit.space } : part));
      return {
        isRightToLeft: isRightToLeft(line),
        unitsOf,
        brokenTo: (width) =>
          unitsOf('words')
            .flatMap((unit) => parted(unit, width, uaxUnits(unit.text, language)))
            .flatMap((unit) =>
              parted(
                unit,
                width,
                graphemes(unit.text).map((text) => ({ text, space: '' })),
              ),
            ),
      };
    });
}

type Side = 'left' | 'middle' | 'right';
const sideOf = (align: LayoutOptions['align'], isRightToLeft: boolean): Side =>
  align === 'center' ? 'middle' : (align === 'start') === isRightToLeft ? 'right' : 'left';

function setItems(
  items: readonly LayoutItem[],
  sizes: readonly number[],
  paragraphs: readonly (readonly Paragraph[])[],
  level: Level,
  { box, align, valign, isRightToLeft: isPageRightToLeft }: LayoutOptions,
  measure: Measure,
): LaidOutItem[] | undefined {
  const broken: { text: string; isRightToLeft: boolean }[][] = [];
  let least = 0;
  for (const [index, item] of items.entries()) {
    const size = sizes[index] ?? 0;
    const lines = breakItem(paragraphs[index] ?? [], (box.width - 2 * item.padding) / size, level);
    if (!lines) return undefined;
    least += (lines.length - 1) * size * Math.min(item.lineHeight, 1) + size * CAPITAL + 2 * item.padding;
    if (least > box.height) return undefined;
    broken.push(lines);
  }
  const set: LaidOutItem[] = [];
  let top = 0;
  for (const [index, item] of items.entries()) {
    const size = sizes[index] ?? 0;
    const lines = broken[index] ?? [];
    if (lines.length === 0) {
      set.push({ size, lines: [], bounds: { x: 0, y: top, width: 0, height: 0 } });
      continue;
    }
    if (top > 0) top += item.space;
    const laid = setLines(lines, item, size, top, box.width, sideOf(align, isPageRightToLeft), (text) => measure(index, text, size));
    if (!laid) return undefined;
    set.push(laid);
    top = laid.bounds.y + laid.bounds.height;
    if (top > box.height) return undefined;
  }
  const slack = box.height - top;
  const shift = valign === 'top' ? 0 : valign === 'bottom' ? slack : slack / 2;
  return set.map(({ size, lines, bounds }) => ({
    size,
    lines: lines.map((line) => ({ ...line, baseline: line.baseline + shift })),
    bounds: { ...bounds, y: bounds.y + shift },
  }));
}

function breakItem(paragraphs: readonly Paragraph[], width: number, level: Level) {
  const lines: { text: string; isRightToLeft: boolean }[] = [];
  for (const paragraph of paragraphs) {
    const most = width * REFERENCE;
    const isWide = (unit: MeasuredUnit) => unit.width > most;
    const units = level === 'letters' ? paragraph.brokenTo(most) : paragraph.unitsOf(level);
    if (units.some(isWide)) return undefined;
    const count = fill(units, most).length;
    // Lines of about the same width look better than full lines above a short one.
    const filled = count > 1 && count <= 6 ? fill(units, narrowest(units, most, count)) : fill(units, most);
    for (const text of filled) lines.push({ text, isRightToLeft: paragraph.isRightToLeft });
  }
  return lines;
}

/** Fills each line with as many units as fit. */
function fill(units: readonly MeasuredUnit[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  let space = '';
  let spaceWidth = 0;
  for (const unit of units) {
    if (line !== '' && used + spaceWidth + unit.width > width) {
      lines.push(line);
      line = unit.text;
      used = unit.width;
    } else {
      line += line === '' ? unit.text : space + unit.text;
      used += (used === 0 ? 0 : spaceWidth) + unit.width;
    }
    space = unit.space;
    spaceWidth = unit.spaceWidth;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** The smallest width that needs no more lines. */
function narrowest(units: readonly MeasuredUnit[], width: number, count: number): number {
  let [low, high] = [width / 2, width];
  for (let step = 0; step < 7; step++) {
    const middle = (low + high) / 2;
    if (units.every((unit) => unit.width <= middle) && fill(units, middle).length <= count) high = middle;
    else low = middle;
  }
  return high;
}

/** @returns undefined if a line is wider than the box: joined words can be wider than their parts */
function setLines(
  lines: readonly { text: string; isRightToLeft: boolean }[],
  { lineHeight, padding }: LayoutItem,
  size: number,
  top: number,
  boxWidth: number,
  side: Side,
  measure: (text: string) => Ink,
): LaidOutItem | undefined {
  const room = boxWidth - 2 * padding;
  const set: Line[] = [];
  let [left, right] = [Infinity, -Infinity];
  let baseline = top + padding;
  let before: Ink | undefined;
  for (const { text, isRightToLeft } of lines) {
    const ink = measure(text);
    const width = ink.left + Math.max(ink.advance, ink.right);
    if (width > room + 0.01) return undefined;
    baseline += before ? Math.max(size * lineHeight, before.descent + ink.ascent + size * LEAST_GAP) : Math.max(ink.ascent, size * CAPITAL);
    const start = padding + (side === 'middle' ? (room - width) / 2 : side === 'left' ? 0 : room - width);
    set.push({ text, x: start + ink.left, baseline, ink, isRightToLeft });
    left = Math.min(left, start);
    right = Math.max(right, start + width);
    before = ink;
  }
  const bottom = baseline + Math.max(before?.descent ?? 0, padding > 0 ? size * 0.1 : 0) + padding;
  return { size, lines: set, bounds: { x: left - padding, y: top, width: right - left + 2 * padding, height: bottom - top } };
}
