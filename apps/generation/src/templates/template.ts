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

const percent = z.number().min(-50).max(150);
/** Left, top, width and height in percent of the canvas. */
const box = z.tuple([percent, percent, z.number().gt(0).max(200), z.number().gt(0).max(200)]);
export type Box = z.infer<typeof box>;

const colour = z.union([z.enum(COLOUR_ROLES), z.string().regex(/^#[0-9a-f]{6}$/i)]);
export type Colour = z.infer<typeof colour>;
const paint = z.union([
  colour,
  z.strictObject({ from: colour, to: colour, /** Degrees, clockwise from left to right. */ angle: z.number().min(0).max(360).default(90) }),
]);
export type Paint = z.infer<typeof paint>;

const id = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);
const opacity = z.number().min(0).max(1).default(1);
/** In percent of the shorter side. */
const ofShorterSide = z.number().min(0).max(60);

const shape = z.strictObject({
  kind: z.literal('shape'),
  id,
  shape: z.enum(['rect', 'ellipse', 'ring', 'triangle', 'dots', 'stripes', 'wave', 'arc', 'quote-mark', 'frame']),
  paint,
  opacity,
  radius: ofShorterSide.default(0),
  /** Line width of rings, frames, stripes and arcs. */
  thickness: ofShorterSide.default(1),
  /** Degrees, clockwise around the center of the box. */
  rotation: z.number().min(-360).max(360).default(0),
});

const image = z.strictObject({
  kind: z.literal('image'),
  id,
  opacity,
  radius: ofShorterSide.default(0),
  outline: z.enum(['rect', 'ellipse', 'arch']).default('rect'),
  /** An overlay on the image that makes texts legible. */
  shade: z.strictObject({ paint, opacity }).optional(),
});

const logo = z.strictObject({
  kind: z.literal('logo'),
  id,
  align: z.enum(['start', 'center', 'end']).default('start'),
  /** Shows the name of the business if there is no logo. */
  text: z.enum(['business_name', 'nothing']).default('business_name'),
});

const textItem = z.strictObject({
  slot: z.enum(TEXT_SLOTS).optional(),
  /** The slot to show instead if this one has no text. */
  otherwise: z.enum(TEXT_SLOTS).optional(),
  /** A fixed text instead of a slot; {page}, {pages} and {business_name} are replaced. */
  text: z.string().min(1).max(60).optional(),
  font: z.enum(['heading', 'text', 'display']).default('text'),
  weight: z.number().int().min(100).max(900).default(400),
  /** The largest size; the text shrinks to fit. */
  size: z.number().min(1).max(40),
  line_height: z.number().min(0.8).max(2).default(1.2),
  /** In percent of the size. Ignored for scripts that join their letters. */
  tracking: z.number().min(-10).max(40).default(0),
  uppercase: z.boolean().default(false),
  /** The preferred color. Another one is used if this one has too little contrast. */
  colour: colour.default('dark'),
  /** A plate behind the text, such as the shape of a button. */
  plate: z.strictObject({ paint, radius: ofShorterSide.default(0), padding: ofShorterSide.default(1.6) }).optional(),
  /** An outline of the letters in a contrasting color. */
  outline: z.boolean().default(false),
  /** Space above it, in percent of the shorter side; ignored for the first one. */
  space: ofShorterSide.default(2),
});
export type TextItem = z.infer<typeof textItem>;

const text = z.strictObject({
  kind: z.literal('text'),
  id,
  align: z.enum(['start', 'center', 'end']).default('start'),
  valign: z.enum(['top', 'middle', 'bottom']).default('top'),
  /** Texts, one below the other. They shrink together, so that their order of size stays. */
  items: z.array(textItem).min(1).max(6),
});

const layer = z.discriminatedUnion('kind', [shape, image, logo, text]);
export type Layer = z.infer<typeof layer>;
export type ShapeLayer = z.infer<typeof shape>;
export type ImageLayer = z.infer<typeof image>;
export type LogoLayer = z.infer<typeof logo>;
export type TextLayer = z.infer<typeof text>;

const boxes = z.record(id, box);

const page = z
  .strictObject({
    background: paint,
    /** From back to front. */
    layers: z.array(layer).min(1).max(40),
    /** The box of each layer. `default` applies to all aspect ratios; the boxes of an aspect ratio replace those of the same layers. */
    boxes: z.strictObject({
      default: boxes,
      '1:1': boxes.optional(),
      '4:5': boxes.optional(),
      '9:16': boxes.optional(),
      '16:9': boxes.optional(),
    }),
  })
  .superRefine(({ layers, boxes: given }, context) => {
    const ids = new Set<string>();
    for (const [index, { id: name }] of layers.entries()) {
      if (ids.has(name)) context.addIssue({ code: 'custom', path: ['layers', index, 'id'], message: `There are two layers \`${name}\`.` });
      ids.add(name);
      if (!given.default[name])
        context.addIssue({ code: 'custom', path: ['boxes', 'default'], message: `The layer \`${name}\` has no box.` });
    }
    for (const [ratio, some] of Object.entries(given))
      for (const name of Object.keys(some ?? {}))
        if (!ids.has(name)) context.addIssue({ code: 'custom', path: ['boxes', ratio, name], message: 'There is no such layer.' });
    for (const [index, one] of layers.entries())
      if (one.kind === 'text')
        for (const [at, { slot, text: fixed }] of one.items.entries())
          if ((slot === undefined) === (fixed === undefined))
            context.addIssue({ code: 'custom', path: ['layers', index, 'items', at], message: 'Set either `slot` or `text`.' });
  });
export type Page = z.infer<typeof page>;

/**
 * A template lays out texts, an image, a logo and the colors of a business in each aspect ratio. Built-in templates are `builtin/*.json`. This schema also
 * checks custom templates.
 */
export const templateSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(80),
    description: z.string().trim().max(300).default(''),
    format: z.enum(TEMPLATE_FORMATS),
    tags: z.array(z.string().trim().min(1).max(30)).max(10).default([]),
    /** The page of a design or meme, and the first page of a carousel. */
    page,
    /** The pages of a carousel between its first and its last. */
    inner_page: page.optional(),
    /** The last page of a carousel. */
    last_page: page.optional(),
  })
  .superRefine(({ format, inner_page, last_page }, context) => {
    if (format === 'carousel' && !inner_page)
      context.addIssue({ code: 'custom', path: ['inner_page'], message: 'A carousel needs an inner page.' });
    if (format !== 'carousel')
      for (const [name, given] of [['inner_page', inner_page] as const, ['last_page', last_page] as const])
        if (given) context.addIssue({ code: 'custom', path: [name], message: 'Only a carousel has more than one page.' });
  });
export type Template = z.infer<typeof templateSchema>;

/** The box of a layer in pixels. */
export function boxOf(page: Page, layerId: string, ratio: AspectRatio): { x: number; y: number; width: number; height: number } {
  const [width, height] = CANVAS_SIZES[ratio];
  const [left, top, across, down] = page.boxes[ratio]?.[layerId] ?? page.boxes.default[layerId] ?? [0, 0, 100, 100];
  return { x: (left / 100) * width, y: (top / 100) * height, width: (across / 100) * width, height: (down / 100) * height };
}

/** The text slots that a page shows. */
export const slotsOf = (of: Page): TextSlot[] => [
  ...new Set(of.layers.flatMap((one) => (one.kind === 'text' ? one.items.flatMap(({ slot }) => (slot ? [slot] : [])) : []))),
];

/** Whether a page has an image layer. */
export const takesImage = (of: Page): boolean => of.layers.some(({ kind }) => kind === 'image');
