import { z } from 'zod';
import { COLOUR_ROLES, LEAST_PATTERN, MOST_LAYERS, TEXT_SLOTS, type AspectRatio } from './terms.ts';

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
export const paint = z
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
  .meta({ id: 'TemplateShapeLayer', description: `A shape. A page can have at most ${MOST_LAYERS.pattern} layers of dots and stripes.` });

export const isPattern = (form: string) => form === 'dots' || form === 'stripes';

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
    description: `The image of the page of a design, cropped to the box. A page can have at most ${MOST_LAYERS.image} of these layers.`,
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
  .meta({ id: 'TemplateLogoLayer', description: `The logo of the business. A page can have at most ${MOST_LAYERS.logo} of these layers.` });

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
  .meta({ id: 'TemplateTextLayer', description: `Texts in a box. A page can have at most ${MOST_LAYERS.text} of these layers.` });

export const layer = z
  .discriminatedUnion('kind', [shape, image, logo, text], { error: 'must be "shape", "image", "logo" or "text"' })
  .meta({ id: 'TemplateLayer' });
export type Layer = z.infer<typeof layer>;
export type ShapeLayer = z.infer<typeof shape>;
export type ImageLayer = z.infer<typeof image>;
export type LogoLayer = z.infer<typeof logo>;
export type TextLayer = z.infer<typeof text>;

export const boxes = z.record(id, box).meta({ description: 'Boxes by the id of their layer.' });

/** The page of a template, as its schema (`page.ts`) leaves it. */
export interface Page {
  background: Paint;
  text_scale?: Partial<Record<AspectRatio, number | undefined>> | undefined;
  layers: Layer[];
  boxes: { default: Record<string, Box> } & Partial<Record<AspectRatio, Record<string, Box> | undefined>>;
}
