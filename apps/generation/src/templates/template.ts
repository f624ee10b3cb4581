import { z } from 'zod';

/** Width and height in pixels of each aspect ratio that designs are made in. */
export const CANVAS_SIZES = {
  '1:1': [1080, 1080],
  '4:5': [1080, 1350],
  '9:16': [1080, 1920],
  '16:9': [1920, 1080],
} as const satisfies Record<string, readonly [number, number]>;

export type AspectRatio = keyof typeof CANVAS_SIZES;
export const ASPECT_RATIOS = Object.keys(CANVAS_SIZES) as [AspectRatio, ...AspectRatio[]];

/** Colours of a palette by what they are for; `light` and `dark` are the palette's own near-white and near-black. */
export const COLOUR_ROLES = ['primary', 'secondary', 'accent', 'light', 'dark'] as const;
export type ColourRole = (typeof COLOUR_ROLES)[number];

/** What texts a design can have. Templates name those that they show; what is not given is left out, and the rest takes its room. */
export const TEXT_SLOTS = ['label', 'headline', 'body', 'quote', 'author', 'number', 'cta', 'top', 'bottom'] as const;
export type TextSlot = (typeof TEXT_SLOTS)[number];

/** Creative formats that are drawn by templates. */
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
  /** Of lines: of rings, frames, stripes and arcs. */
  thickness: ofShorterSide.default(1),
  /** Degrees, clockwise around the middle of the box. */
  rotation: z.number().min(-360).max(360).default(0),
});

const image = z.strictObject({
  kind: z.literal('image'),
  id,
  opacity,
  radius: ofShorterSide.default(0),
  outline: z.enum(['rect', 'ellipse', 'arch']).default('rect'),
  /** Laid over the image, so that texts can be read. */
  shade: z.strictObject({ paint, opacity }).optional(),
});

const logo = z.strictObject({
  kind: z.literal('logo'),
  id,
  align: z.enum(['start', 'center', 'end']).default('start'),
  /** Shown instead of a logo that is not there. */
  text: z.enum(['business_name', 'nothing']).default('business_name'),
});

const textItem = z.strictObject({
  slot: z.enum(TEXT_SLOTS).optional(),
  /** Shown in its place where it has no text. */
  otherwise: z.enum(TEXT_SLOTS).optional(),
  /** Shown as it is, with {page}, {pages} and {business_name} replaced; instead of a slot. */
  text: z.string().min(1).max(60).optional(),
  font: z.enum(['heading', 'text', 'display']).default('text'),
  weight: z.number().int().min(100).max(900).default(400),
  /** The largest size; it shrinks to fit. */
  size: z.number().min(1).max(40),
  line_height: z.number().min(0.8).max(2).default(1.2),
  /** In percent of the size. Scripts that join their letters have none. */
  tracking: z.number().min(-10).max(40).default(0),
  uppercase: z.boolean().default(false),
  /** What is preferred. Where it could not be read, another colour is taken. */
  colour: colour.default('dark'),
  /** A plate behind the text, such as of a button. */
  plate: z.strictObject({ paint, radius: ofShorterSide.default(0), padding: ofShorterSide.default(1.6) }).optional(),
  /** A line around the letters, in the opposite of their colour. */
  outline: z.boolean().default(false),
  /** Room above it, of the shorter side; the first one has none. */
  space: ofShorterSide.default(2),
});
export type TextItem = z.infer<typeof textItem>;

const text = z.strictObject({
  kind: z.literal('text'),
  id,
  align: z.enum(['start', 'center', 'end']).default('start'),
  valign: z.enum(['top', 'middle', 'bottom']).default('top'),
  /** One below the other. They shrink together, so that the larger stays the larger. */
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
    /** Where each layer is. `default` holds for all aspect ratios; an aspect ratio's own boxes replace those of the same layers. */
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
 * A template: how texts, an image, a logo and the colours of a business become a picture in each aspect ratio. Built-in ones are `builtin/*.json`;
 * organizations add their own, checked by this same schema.
 */
export const templateSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(80),
    description: z.string().trim().max(300).default(''),
    format: z.enum(TEMPLATE_FORMATS),
    tags: z.array(z.string().trim().min(1).max(30)).max(10).default([]),
    /** Of a design or a meme, and the first page of a carousel. */
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

/** Where a layer is, in pixels. */
export function boxOf(page: Page, layerId: string, ratio: AspectRatio): { x: number; y: number; width: number; height: number } {
  const [width, height] = CANVAS_SIZES[ratio];
  const [left, top, across, down] = page.boxes[ratio]?.[layerId] ?? page.boxes.default[layerId] ?? [0, 0, 100, 100];
  return { x: (left / 100) * width, y: (top / 100) * height, width: (across / 100) * width, height: (down / 100) * height };
}

/** The text slots that a page shows. */
export const slotsOf = (of: Page): TextSlot[] => [
  ...new Set(of.layers.flatMap((one) => (one.kind === 'text' ? one.items.flatMap(({ slot }) => (slot ? [slot] : [])) : []))),
];

/** Whether a page has room for an image. */
export const takesImage = (of: Page): boolean => of.layers.some(({ kind }) => kind === 'image');
