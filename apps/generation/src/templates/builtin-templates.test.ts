import { BUILTIN_TEMPLATES } from './builtin-templates.ts';
import { ASPECT_RATIOS, boxOf, CANVAS_SIZES, templateSchema, type Page } from './template.ts';

const pages = [...BUILTIN_TEMPLATES].flatMap(([id, { page, inner_page: inner, last_page: last }]) =>
  [page, inner, last].flatMap((one, index) => (one ? [[`${id}, page ${index + 1}`, one] as const] : [])),
);

test('there are at least sixteen built-in templates, some of each format', () => {
  expect(BUILTIN_TEMPLATES.size).toBeGreaterThanOrEqual(16);
  expect(new Set([...BUILTIN_TEMPLATES.values()].map(({ format }) => format))).toEqual(new Set(['design', 'carousel', 'meme']));
});

test.each(pages)('%s: texts are inside the image and do not overlap', (_name, page) => {
  for (const ratio of ASPECT_RATIOS) {
    const [width, height] = CANVAS_SIZES[ratio];
    const texts = page.layers.filter(({ kind }) => kind === 'text' || kind === 'logo').map(({ id }) => ({ id, ...boxOf(page, id, ratio) }));
    for (const { id, x, y, ...box } of texts) {
      const isInside = x >= 0 && y >= 0 && x + box.width <= width && y + box.height <= height;
      expect({ ratio, id, isInside }).toEqual({ ratio, id, isInside: true });
      // Apps cover the top and the bottom of a story.
      const isSafe =
        ratio !== '9:16' || (y >= 0.1 * height && y + box.height <= 0.83 * height) || page.layers.some((layer) => layer.kind === 'image');
      expect({ ratio, id, isSafe }).toEqual({ ratio, id, isSafe: true });
      const over = texts.find(
        (other) =>
          other.id > id && x < other.x + other.width && other.x < x + box.width && y < other.y + other.height && other.y < y + box.height,
      );
      expect({ ratio, id, over: over?.id }).toEqual({ ratio, id, over: undefined });
    }
  }
});

describe('a custom template', () => {
  const page: Page = {
    background: 'primary',
    layers: [{ kind: 'text', id: 'text', align: 'start', valign: 'top', items: [{ slot: 'headline', size: 8 }] }],
    boxes: { default: { text: [5, 5, 90, 90] } },
  } as unknown as Page;
  const template = { name: 'Ours', format: 'design', page };

  /** With shapes of the whole page. */
  const withShapes = (count: number, shape: object) => {
    const layers = Array.from({ length: count }, (_, index) => ({ kind: 'shape', id: `s${index}`, paint: 'accent', ...shape }));
    const boxes = Object.fromEntries(layers.map(({ id }) => [id, [0, 0, 100, 100]]));
    return { ...template, page: { background: 'light', layers, boxes: { default: boxes } } };
  };
  /** With a text in each box. */
  const withTexts = (...given: readonly (readonly number[] | { default: readonly number[]; '9:16': readonly number[] })[]) => {
    const layers = given.map((_, index) => ({ kind: 'text', id: `t${index}`, items: [{ slot: 'headline', size: 8 }] }));
    const boxesIn = (ratio: 'default' | '9:16') =>
      Object.fromEntries(
        given.flatMap((box, index) => ('9:16' in box ? [[`t${index}`, box[ratio]]] : ratio === 'default' ? [[`t${index}`, box]] : [])),
      );
    return { ...template, page: { background: 'light', layers, boxes: { default: boxesIn('default'), '9:16': boxesIn('9:16') } } };
  };

  test.each<[string, ReturnType<typeof withTexts>, string, string]>([
    ['starts left of the page', withTexts([-50, -50, 20, 20]), 'page.boxes.default.t0', 'not inside the page'],
    ['is below the page', withTexts([140, 140, 10, 10]), 'page.boxes.default.t0', 'not inside the page'],
    ['ends outside of the page', withTexts([60, 60, 90, 90]), 'page.boxes.default.t0', 'not inside the page'],
    ['is tiny', withTexts([5, 5, 0.01, 0.01]), 'page.boxes.default.t0', 'too small'],
    ['overlaps another one', withTexts([5, 5, 50, 50], [20, 20, 50, 50]), 'page.boxes.default.t1', 'overlaps the box of "t0" in 1:1'],
    [
      'overlaps another one in one ratio',
      withTexts([5, 5, 50, 40], { default: [5, 50, 50, 40], '9:16': [5, 40, 50, 40] }),
      'page.boxes.9:16.t1',
      'overlaps the box of "t0" in 9:16',
    ],
  ])('whose text box %s is rejected', (_what, given, path, message) => {
    const [issue] = templateSchema.safeParse(given).error?.issues ?? [];
    expect([issue?.path.join('.'), issue?.message]).toEqual([path, expect.stringContaining(message)]);
  });

  test('needs only a page', () => {
    expect(templateSchema.safeParse(template).success).toBe(true);
  });

  test.each([
    ['a layer without a box', { ...template, page: { ...page, boxes: { default: {} } } }, 'has no box for the layer'],
    [
      'a box without a layer',
      { ...template, page: { ...page, boxes: { default: { text: [5, 5, 90, 90] }, '1:1': { other: [0, 0, 5, 5] } } } },
      'is the box of a layer that does not exist',
    ],
    ['a carousel without an inner page', { ...template, format: 'carousel' }, 'is required for a carousel'],
    ['a design of several pages', { ...template, last_page: page }, 'is only for carousels'],
    [
      'a text that is neither a slot nor fixed',
      { ...template, page: { ...page, layers: [{ kind: 'text', id: 'text', items: [{ size: 8 }] }] } },
      'must have either `slot` or `text`',
    ],
    ['dots that are too small', withShapes(1, { shape: 'dots', thickness: 0.01 }), 'must be at least 0.5 for dots'],
    ['stripes without width', withShapes(1, { shape: 'stripes', thickness: 0 }), 'must be at least 0.5 for stripes'],
    ['many patterns', withShapes(5, { shape: 'dots' }), 'is one too many: a page can have 4 layers of dots and stripes'],
    ['a script in a color', { ...template, page: { ...page, background: 'url(javascript:alert(1))' } }, ''],
    ['a hundred layers', { ...template, page: { ...page, layers: Array.from({ length: 100 }, () => page.layers[0]) } }, ''],
    ['a field that does not exist', { ...template, css: 'body{}' }, 'css'],
  ])('with %s is rejected', (_what, given, message) => {
    const { error } = templateSchema.safeParse(given);
    expect(error?.message).toContain(message);
  });
});
