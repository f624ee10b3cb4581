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

  test('needs only a page', () => {
    expect(templateSchema.safeParse(template).success).toBe(true);
  });

  test.each([
    ['a layer without a box', { ...template, page: { ...page, boxes: { default: {} } } }, 'The layer `text` has no box.'],
    [
      'a box without a layer',
      { ...template, page: { ...page, boxes: { default: { text: [5, 5, 90, 90] }, '1:1': { other: [0, 0, 5, 5] } } } },
      'no such layer',
    ],
    ['a carousel without an inner page', { ...template, format: 'carousel' }, 'needs an inner page'],
    ['a design of several pages', { ...template, last_page: page }, 'Only a carousel'],
    [
      'a text that is neither a slot nor fixed',
      { ...template, page: { ...page, layers: [{ kind: 'text', id: 'text', items: [{ size: 8 }] }] } },
      'Set either',
    ],
    ['a script in a color', { ...template, page: { ...page, background: 'url(javascript:alert(1))' } }, ''],
    ['a hundred layers', { ...template, page: { ...page, layers: Array.from({ length: 100 }, () => page.layers[0]) } }, ''],
    ['a field that does not exist', { ...template, css: 'body{}' }, 'css'],
  ])('with %s is rejected', (_what, given, message) => {
    const { error } = templateSchema.safeParse(given);
    expect(error?.message).toContain(message);
  });
});
