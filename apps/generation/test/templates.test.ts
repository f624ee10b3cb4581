import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createCanvas, loadImage, type Canvas, type Image } from '@napi-rs/canvas';
import fc from 'fast-check';
import { contactSheet } from '../src/rendering/contact-sheet.ts';
import { LEAST_CONTRAST } from '../src/rendering/paint/contrast.ts';
import { paintPage, type Look, type PageContent } from '../src/rendering/paint-page.ts';
import { themeOf, THEMES } from '../src/rendering/paint/theme.ts';
import { BUILTIN_TEMPLATES } from '../src/templates/builtin-templates.ts';
import { mostCharacters } from '../src/templates/slot-length.ts';
import { ASPECT_RATIOS, boxOf, CANVAS_SIZES, TEXT_SLOTS, type AspectRatio, type Page, type TextSlot } from '../src/templates/template.ts';
import { sampleContent, SAMPLES, SCRIPTS } from '../src/templates/sample-content.ts';

const templates = [...BUILTIN_TEMPLATES].map(([id, { page, inner_page: inner, last_page: last }]) => ({
  id,
  pages: [page, inner, last].filter((one) => one !== undefined),
}));
const allPages = templates.flatMap(({ pages }) => pages);
const look = (more: Partial<Look> = {}): Look => ({
  theme: THEMES[0],
  fonts: ['Fraunces', 'Inter'],
  logo: undefined,
  businessName: 'Padaria Aurora',
  language: 'en',
  ...more,
});
/** At once: the garbage collector does not know how large images are. */
const free = (canvas: Canvas) => {
  canvas.width = 1;
};
/** The texts of a page whose image is not needed. */
const textsOf = (...painting: Parameters<typeof paintPage>) => {
  const { canvas, texts } = paintPage(...painting);
  free(canvas);
  return texts;
};
const contentOf = (texts: PageContent['texts']): PageContent => ({ texts, image: undefined, page: 2, pages: 5 });

describe.each(templates.map(({ id, pages }, index) => [id, pages, THEMES[index % THEMES.length] ?? THEMES[0]] as const))(
  '%s',
  (id, pages, theme) => {
    /** Pages in every script and aspect ratio; the pages of a carousel take turns. Only those of one template are kept, because they are large. */
    const paint = () =>
      SCRIPTS.map((script, row) =>
        ASPECT_RATIOS.map((ratio, column) => {
          const page = pages[(row + column) % pages.length] as Page;
          const { language } = SAMPLES[script];
          return { script, ratio, ...paintPage(page, ratio, sampleContent(page, script), look({ theme, language })) };
        }),
      );
    let painted: ReturnType<typeof paint> = [];
    beforeAll(() => {
      painted = paint();
    });
    afterAll(() => {
      for (const { canvas } of painted.flat()) free(canvas);
      painted = [];
    });

    test('every text is inside the image, large enough, and legible', () => {
      for (const { script, ratio, canvas, texts } of painted.flat()) {
        const [width, height] = CANVAS_SIZES[ratio];
        expect([canvas.width, canvas.height]).toEqual([width, height]);
        expect(texts.length).toBeGreaterThan(0);
        for (const { bounds, contrast, size, text } of texts) {
          const isInside = bounds.x >= 0 && bounds.y >= 0 && bounds.x + bounds.width <= width + 1 && bounds.y + bounds.height <= height + 1;
          const found = { script, ratio, text, isInside, isReadable: contrast >= LEAST_CONTRAST, isLarge: size >= 20 };
          expect(found).toEqual({ script, ratio, text, isInside: true, isReadable: true, isLarge: true });
        }
      }
    });

    test('looks like its golden image (RECORD=1 records it again: check test/golden)', async () => {
      const sheet = contactSheet(
        painted.map((row) => row.map(({ canvas }) => canvas)),
        CELL,
      );
      const file = path.join(import.meta.dirname, 'golden', `${id}.webp`);
      if (process.env['RECORD']) writeFileSync(file, await sheet.encode('webp', 82));
      expect(existsSync(file)).toBe(true);
      expect(differences(sheet, await loadImage(readFileSync(file)))).toEqual([]);
    });
  },
);

const CELL = 120;
/** Tolerance for the mean color of a patch, of 255. Compression changes it less; a moved text or a changed color more. */
const THRESHOLD = 14;
const PATCH = 12;

/** The visible differences between two images. Compares patches, because single pixels vary. */
function differences(sheet: Canvas, golden: Image): string[] {
  if (golden.width !== sheet.width || golden.height !== sheet.height) return [`the size is ${sheet.width} × ${sheet.height} now`];
  const [now, then] = [patches(sheet), patches(golden)];
  const across = Math.ceil(sheet.width / PATCH);
  return [...now.keys()]
    .map((at) => ({ at, by: Math.max(...[0, 1, 2].map((channel) => Math.abs((now[at]?.[channel] ?? 0) - (then[at]?.[channel] ?? 0)))) }))
    .filter(({ by }) => by > THRESHOLD)
    .map(({ at, by }) => `by ${Math.round(by)} at ${(at % across) * PATCH}, ${Math.floor(at / across) * PATCH}`);
}

/** The mean colors of its patches. Halved repeatedly, because scaling down much in one step skips pixels. */
function patches(image: Canvas | Image): number[][] {
  let smaller: Canvas | Image = image;
  for (const by of [1, 2, 2, 3]) smaller = shrunk(smaller, by);
  const { data } = (smaller as Canvas).getContext('2d').getImageData(0, 0, smaller.width, smaller.height);
  return Array.from({ length: smaller.width * smaller.height }, (_, at) => [...data.slice(at * 4, at * 4 + 3)]);
}

function shrunk(image: Canvas | Image, by: number): Canvas {
  const canvas = createCanvas(Math.ceil(image.width / by), Math.ceil(image.height / by));
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'medium';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

test.each([
  ['five whites', ['#ffffff', '#fffffe', '#fefefe', '#fdfdfd', '#fcfcfc']],
  ['five blacks', ['#000000', '#010101', '#000000', '#000000', '#000000']],
  ['a middle grey', ['#777777', '#777777', '#777777']],
  ['loud colors', ['#ff0000', '#00ff00', '#0000ff']],
  ['yellow on white', ['#ffff00', '#ffffff', '#ffff66']],
])('texts are legible with a palette of %s', (_what, palette) => {
  for (const page of allPages)
    for (const { contrast } of textsOf(page, '1:1', sampleContent(page, 'latin'), look({ theme: themeOf('theirs', palette) })))
      expect(contrast).toBeGreaterThanOrEqual(LEAST_CONTRAST);
});

test('texts of the longest lengths are at least 22 pixels large', () => {
  const latin = 'Reserve your table for the long weekend before everything is gone and tell all of your friends about the bread '.repeat(3);
  const japanese = '焼きたてのサワードウを毎朝七時から三種類のパンと一つの酵母近くの製粉所の小麦粉十時には売り切れます'.repeat(5);
  const lengths = { headline: 120, quote: 120, top: 120, bottom: 120, body: 240 } as Partial<Record<TextSlot, number>>;
  const slotTexts = (text: string, width: number) =>
    Object.fromEntries(TEXT_SLOTS.map((slot) => [slot, text.slice(0, (lengths[slot] ?? mostCharacters(slot)) / width)]));
  for (const page of allPages)
    // The smallest pages, and those with the largest texts.
    for (const ratio of ['1:1', '9:16'] as const)
      for (const [language, texts] of [
        ['en', slotTexts(latin, 1)],
        ['ja', slotTexts(japanese, 2)],
      ] as const)
        for (const { size, text, slot } of textsOf(page, ratio, contentOf(texts), look({ language })))
          expect({ slot, ratio, text, isLarge: size >= 22 }).toEqual({ slot, ratio, text, isLarge: true });
});

test('a page has the direction of its main text, however many letters of another direction follow', () => {
  const page = BUILTIN_TEMPLATES.get('announcement')?.page as Page;
  const logoAt = (headline: string) => {
    const wide = { ...page, layers: page.layers.map((one) => (one.kind === 'text' ? { ...one, align: 'start' as const } : one)) };
    return textsOf(wide, '1:1', contentOf({ headline, label: 'x' }), look({ businessName: '' })).find(({ slot }) => slot === 'headline')
      ?.bounds.x;
  };
  expect(logoAt('Fanfare שלום לכולם')).toBe(logoAt('Fanfare'));
  expect(logoAt('שלום Fanfare and many Latin letters')).not.toBe(logoAt('Fanfare'));
});

test('a keycap is drawn as its digit, because the emoji font has none', () => {
  const page = BUILTIN_TEMPLATES.get('minimal-note')?.page as Page;
  const texts = textsOf(page, '1:1', contentOf({ headline: '1️⃣ Mix 2️⃣ Bake' }), look({ businessName: '' }));
  expect(texts.map(({ text }) => text)).toEqual(['1 Mix 2 Bake']);
});

test('no text leaves its box, for any text of up to 300 characters', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .string({ unit: fc.constantFrom('W', 'ﷺ', '﷽', '한', '漢', 'ก็', 'Z̸̡̛̘̲͌̌', '👩‍👩‍👧‍👦', 'क्ष', ' '), maxLength: 300 })
      .map((text) => text.slice(0, 300)),
    fc.constant('Ǎ̴̧͙̝̺̖͎̩͙̮̀͑̄̓'.repeat(20).slice(0, 300)),
  );
  fc.assert(
    fc.property(fc.constantFrom(...allPages), fc.constantFrom(...ASPECT_RATIOS), hostile, (page, ratio: AspectRatio, text) => {
      const texts = Object.fromEntries(TEXT_SLOTS.map((slot) => [slot, text]));
      const boxes = page.layers.filter(({ kind }) => kind === 'text' || kind === 'logo').map(({ id }) => boxOf(page, id, ratio));
      const [width] = CANVAS_SIZES[ratio];
      for (const one of textsOf(page, ratio, contentOf(texts), look())) {
        const { x, y, width: across, height: down } = one.bounds;
        const isInside = boxes.some((box) =>
          // Right-to-left pages are mirrored.
          [box.x, width - box.x - box.width].some(
            (left) => x >= left - 1 && y >= box.y - 1 && x + across <= left + box.width + 1 && y + down <= box.y + box.height + 1,
          ),
        );
        expect({ text: one.text, isInside }).toEqual({ text: one.text, isInside: true });
      }
    }),
    { numRuns: 60 },
  );
});

test('the same input gives the same image', () => {
  const page = allPages[0] as Page;
  const bytes = () => paintPage(page, '1:1', sampleContent(page, 'latin'), look()).canvas.toBuffer('image/png');
  expect(bytes().equals(bytes())).toBe(true);
});

test('missing texts leave no trace', () => {
  const page = BUILTIN_TEMPLATES.get('announcement')?.page as Page;
  const texts = textsOf(page, '1:1', contentOf({ headline: 'Hello' }), look({ businessName: '' }));
  expect(texts.map(({ text }) => text)).toEqual(['Hello']);
});
