import { z } from 'zod';

/** The size of a design in pixels, by aspect ratio. */
export const CANVAS_SIZES = {
  '1:1': [1080, 1080],
  '4:5': [1080, 1350],
  '9:16': [1080, 1920],
  '16:9': [1920, 1080],
} as const satisfies Record<string, readonly [number, number]>;

export type AspectRatio = keyof typeof CANVAS_SIZES;
export const ASPECT_RATIOS = Object.keys(CANVAS_SIZES) as [AspectRatio, ...AspectRatio[]];

/** The roles of the colors of a palette; `light` and `dark` are its near-white and near-black. */
export const COLOUR_ROLES = ['primary', 'secondary', 'accent', 'light', 'dark'] as const;
export type ColourRole = (typeof COLOUR_ROLES)[number];

/** The text slots of designs. Templates choose the slots that they show. Missing texts are left out, and the others use their space. */
export const TEXT_SLOTS = ['label', 'headline', 'body', 'quote', 'author', 'number', 'cta', 'top', 'bottom'] as const;
export type TextSlot = (typeof TEXT_SLOTS)[number];

/** Creative formats that are rendered from templates. */
export const TEMPLATE_FORMATS = ['design', 'carousel', 'meme'] as const;
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number];

/** Of the shorter side, in percent. Finer dots and stripes look gray, and take long to paint. */
export const LEAST_PATTERN = 0.5;
/** Layers of each kind on a page, so that a page is rendered in a fraction of a second. */
const MOST = { pattern: 4, image: 6, logo: 4, text: 12 } as const;
/** The smallest box of a text, in percent of the width and of the height of the page: a line of legible letters. */
const LEAST_TEXT_BOX = [10, 2.5] as const;

const percent = z.number().min(-50).max(150);
const box = z.tuple([percent, percent, z.number().gt(0).max(200), z.number().gt(0).max(200)]).meta({
  id: 'TemplateBox',
  minItems: 4,
  maxItems: 4,
  description: 'Left, top, width and height in percent of the width and height of the page.',
});
export type Box = z.infer<typeof box>;

const ANY_COLOUR = `must be ${COLOUR_ROLES.join(', ')}, or a color such as #12355b`;
const colour = z
  .union([z.enum(COLOUR_ROLES), z.string().regex(/^#[0-9a-fA-F]{6}$/, { error: ANY_COLOUR })], { error: ANY_COLOUR })
  .meta({ id: 'TemplateColor', description: 'A color of the palette of the business, or a fixed one as #rrggbb.' });
export type Colour = z.infer<typeof colour>;
const paint = z
  .union(
    [
      colour,
      z.strictObject({
        from: colour,
        to: colour,
        angle: z.number().min(0).max(360).default(90).meta({ description: 'In degrees, clockwise. 0 runs from left to right.' }),
      }),
    ],
    { error: `${ANY_COLOUR}, or a gradient with \`from\`, \`to\` and \`angle\`` },
  )
  .meta({ id: 'TemplatePaint', description: 'A color or a gradient.' });
export type Paint = z.infer<typeof paint>;

const id = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'must be 1 to 40 small letters, digits and hyphens, and start with a letter' })
  .meta({ description: 'The name of the layer in `boxes`: small letters, digits and hyphens.' });
const opacity = z.number().min(0).max(1).default(1).meta({ description: 'From 0, invisible, to 1.' });
const ofShorterSide = (description: string) =>
  z
    .number()
    .min(0)
    .max(60)
    .meta({ description: `${description}, in percent of the shorter side of the page.` });
const align = z.enum(['start', 'center', 'end']).default('start').meta({
  description: 'start is the left side, or the right side of a page that is mirrored because its texts run from right to left.',
});

const shape = z
  .strictObject({
    kind: z.literal('shape'),
    id,
    shape: z.enum(['rect', 'ellipse', 'ring', 'triangle', 'dots', 'stripes', 'wave', 'arc', 'quote-mark', 'frame']),
    paint,
    opacity,
    radius: ofShorterSide('Radius of the corners of a rect or frame').default(0),
    thickness: ofShorterSide(
      `Line width of rings, frames and stripes, and diameter of dots (at least ${LEAST_PATTERN} for dots and stripes)`,
    ).default(1),
    rotation: z.number().min(-360).max(360).default(0).meta({ description: 'In degrees, clockwise around the center of the box.' }),
  })
  .superRefine(({ shape: form, thickness }, context) => {
    if (isPattern(form) && thickness < LEAST_PATTERN)
      context.addIssue({ code: 'custom', path: ['thickness'], message: `must be at least ${LEAST_PATTERN} for ${form}` });
  })
  .meta({ id: 'TemplateShapeLayer', description: `A shape. A page can have at most ${MOST.pattern} layers of dots and stripes.` });

const isPattern = (form: string) => form === 'dots' || form === 'stripes';

const image = z
  .strictObject({
    kind: z.literal('image'),
    id,
    opacity,
    radius: ofShorterSide('Radius of the corners').default(0),
    outline: z.enum(['rect', 'ellipse', 'arch']).default('rect'),
    shade: z.strictObject({ paint, opacity }).optional().meta({ description: 'An overlay on the image that makes texts legible.' }),
  })
  .meta({
    id: 'TemplateImageLayer',
    description: `The image of the page of a design, cropped to the box. A page can have at most ${MOST.image} of these layers.`,
  });

const logo = z
  .strictObject({
    kind: z.literal('logo'),
    id,
    align,
    text: z
      .enum(['business_name', 'nothing'])
      .default('business_name')
      .meta({ description: 'What to show if there is no logo: the name of the business, or nothing.' }),
  })
  .meta({ id: 'TemplateLogoLayer', description: `The logo of the business. A page can have at most ${MOST.logo} of these layers.` });

const textItem = z
  .strictObject({
    slot: z
      .enum(TEXT_SLOTS)
      .optional()
      .meta({ description: 'Which text of the design to show. A text item needs either `slot` or `text`.' }),
    otherwise: z.enum(TEXT_SLOTS).optional().meta({ description: 'The slot to show instead if `slot` has no text.' }),
    text: z
      .string()
      .min(1)
      .max(60)
      .optional()
      .meta({ description: 'A fixed text. `{page}`, `{pages}` and `{business_name}` in it are replaced.' }),
    font: z
      .enum(['heading', 'text', 'display'])
      .default('text')
      .meta({ description: "The business's font of headings or of texts, or a bold condensed one (display)." }),
    weight: z.number().int().min(100).max(900).default(400),
    size: z
      .number()
      .min(1)
      .max(40)
      .meta({ description: 'The largest font size in percent of the shorter side of the page. Texts shrink to fit their box.' }),
    line_height: z.number().min(0.8).max(2).default(1.2).meta({ description: 'As a multiple of the font size.' }),
    tracking: z
      .number()
      .min(-10)
      .max(40)
      .default(0)
      .meta({ description: 'Letter spacing in percent of the font size. Ignored for scripts that join their letters.' }),
    uppercase: z.boolean().default(false),
    colour: colour
      .default('dark')
      .meta({ description: 'The preferred color. Another one is used if its contrast with the background is too low.' }),
    plate: z
      .strictObject({
        paint,
        radius: ofShorterSide('Radius of the corners').default(0),
        padding: ofShorterSide('Space around the text').default(1.6),
      })
      .optional()
      .meta({ description: 'A plate behind the text, such as the shape of a button.' }),
    outline: z.boolean().default(false).meta({ description: 'Whether letters have an outline in a contrasting color.' }),
    space: ofShorterSide('Space above the text').default(2),
  })
  .superRefine(({ slot, text: fixed }, context) => {
    if ((slot === undefined) === (fixed === undefined)) context.addIssue({ code: 'custom', message: 'must have either `slot` or `text`' });
  })
  .meta({ id: 'TemplateText' });
export type TextItem = z.infer<typeof textItem>;

const text = z
  .strictObject({
    kind: z.literal('text'),
    id,
    align,
    valign: z.enum(['top', 'middle', 'bottom']).default('top'),
    items: z
      .array(textItem)
      .min(1)
      .max(6)
      .meta({ description: 'Texts, one below the other. They shrink together, so that their order of size stays.' }),
  })
  .meta({ id: 'TemplateTextLayer', description: `Texts in a box. A page can have at most ${MOST.text} of these layers.` });

const layer = z
  .discriminatedUnion('kind', [shape, image, logo, text], { error: 'must be "shape", "image", "logo" or "text"' })
  .meta({ id: 'TemplateLayer' });
export type Layer = z.infer<typeof layer>;
export type ShapeLayer = z.infer<typeof shape>;
export type ImageLayer = z.infer<typeof image>;
export type LogoLayer = z.infer<typeof logo>;
export type TextLayer = z.infer<typeof text>;

const boxes = z.record(id, box).meta({ description: 'Boxes by the id of their layer.' });

const scale = z.number().min(0.5).max(2).optional();

const page = z
  .strictObject({
    background: paint,
    text_scale: z
      .strictObject(Object.fromEntries(ASPECT_RATIOS.map((ratio) => [ratio, scale])) as Record<AspectRatio, typeof scale>)
      .optional()
      .meta({
        description: 'Multiplies the sizes, paddings and spaces of all texts in an aspect ratio, such as 1.3 for 16:9. By default 1.',
      }),
    layers: z.array(layer).min(1).max(40).meta({ description: 'From back to front.' }),
    boxes: z
      .strictObject({
        default: boxes.meta({ description: 'Every layer must have a box here.' }),
        '1:1': boxes.optional(),
        '4:5': boxes.optional(),
        '9:16': boxes.optional(),
        '16:9': boxes.optional(),
      })
      .meta({
        description:
          `The box of each layer by its id. \`default\` applies to all aspect ratios; the boxes of an aspect ratio replace those of the same layers. ` +
          `In each aspect ratio, the boxes of text and logo layers must be inside the page, at least ${LEAST_TEXT_BOX[0]} wide and ${LEAST_TEXT_BOX[1]} ` +
          `high, and must not overlap each other.`,
      }),
  })
  .superRefine((given, context) => {
    for (const { path, message } of problemsOf(given)) context.addIssue({ code: 'custom', path: [...path], message });
  })
  .meta({
    id: 'TemplateLayout',
    description:
      '`page` is the page of a design or meme, or the first page of a carousel; `inner_page` the pages of a carousel between the first and the last ' +
      '(a carousel must have it); `last_page` the last page of a carousel, which otherwise looks like the inner pages.',
  });
export interface Page {
  background: Paint;
  text_scale?: Partial<Record<AspectRatio, number | undefined>> | undefined;
  layers: Layer[];
  boxes: { default: Record<string, Box> } & Partial<Record<AspectRatio, Record<string, Box> | undefined>>;
}

interface Problem {
  readonly path: readonly (string | number)[];
  /** The end of a sentence that begins with the path. */
  readonly message: string;
}

function problemsOf(given: Page): Problem[] {
  const { layers, boxes: placed } = given;
  const problems: Problem[] = [];
  const ids = new Set<string>();
  const counts = new Map<string, number>();
  for (const [index, one] of layers.entries()) {
    if (ids.has(one.id)) problems.push({ path: ['layers', index, 'id'], message: `is the id of another layer too: "${one.id}"` });
    ids.add(one.id);
    if (!placed.default[one.id]) problems.push({ path: ['boxes', 'default'], message: `has no box for the layer "${one.id}"` });
    const kind = one.kind === 'shape' ? (isPattern(one.shape) ? 'pattern' : undefined) : one.kind;
    if (!kind) continue;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = kind === 'pattern' ? 'layers of dots and stripes' : `${kind} layers`;
    if (count === MOST[kind] + 1)
      problems.push({ path: ['layers', index], message: `is one too many: a page can have ${MOST[kind]} ${name}` });
  }
  for (const [ratio, some] of Object.entries(placed))
    for (const name of Object.keys(some ?? {}))
      if (!ids.has(name)) problems.push({ path: ['boxes', ratio, name], message: 'is the box of a layer that does not exist' });
  const found = new Set<string>();
  return [
    ...problems,
    ...ASPECT_RATIOS.flatMap((ratio) => textBoxProblems(given, ratio)).filter(({ path, message }) => {
      const key = [...path, message].join(' ');
      return !found.has(key) && found.add(key);
    }),
  ];
}

/** Percentages are often thirds, rounded. */
const ROUNDING = 0.05;

function textBoxProblems({ layers, boxes: given }: Page, ratio: AspectRatio): Problem[] {
  const placed = layers
    .filter(({ kind }) => kind === 'text' || kind === 'logo')
    .flatMap(({ id: name }) => {
      const own = given[ratio]?.[name];
      const used = own ?? given.default[name];
      return used ? [{ name, used, path: ['boxes', own ? ratio : 'default', name] }] : [];
    });
  return placed.flatMap(({ name, used, path }, index) => {
    const [left, top, width, height] = used;
    if (Math.min(left, top) < -ROUNDING || Math.max(left + width, top + height) > 100 + ROUNDING)
      return [{ path, message: `is not inside the page, but layer "${name}" has texts` }];
    if (width < LEAST_TEXT_BOX[0] || height < LEAST_TEXT_BOX[1])
      return [{ path, message: `is too small for texts: it must be at least ${LEAST_TEXT_BOX[0]} wide and ${LEAST_TEXT_BOX[1]} high` }];
    const other = placed.slice(0, index).find(({ used: box }) => overlaps(used, box));
    return other ? [{ path, message: `overlaps the box of "${other.name}" in ${ratio}, and both have texts` }] : [];
  });
}

const overlaps = ([x, y, width, height]: Box, [left, top, across, down]: Box): boolean =>
  x + ROUNDING < left + across && left + ROUNDING < x + width && y + ROUNDING < top + down && top + ROUNDING < y + height;

/** A template lays out texts, an image, a logo and the colors of a business in each aspect ratio. */
export const templateSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(80),
    description: z.string().trim().max(300).default(''),
    format: z.enum(TEMPLATE_FORMATS),
    tags: z
      .array(z.string().trim().min(1).max(30))
      .max(10)
      .default([])
      .meta({ description: 'The first one is the theme of the template.' }),
    /** The page of a design or meme, and the first page of a carousel. */
    page,
    /** The pages of a carousel between the first and the last. */
    inner_page: page.optional(),
    /** The last page of a carousel. */
    last_page: page.optional(),
  })
  .superRefine(({ format, inner_page, last_page }, context) => {
    if (format === 'carousel' && !inner_page)
      context.addIssue({ code: 'custom', path: ['inner_page'], message: 'is required for a carousel' });
    if (format !== 'carousel')
      for (const [name, given] of [['inner_page', inner_page] as const, ['last_page', last_page] as const])
        if (given) context.addIssue({ code: 'custom', path: [name], message: 'is only for carousels' });
  });
export type Template = z.infer<typeof templateSchema>;
