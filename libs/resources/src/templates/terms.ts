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
export const MOST_LAYERS = { pattern: 4, image: 6, logo: 4, text: 12 } as const;
/** The smallest box of a text, in percent of the width and of the height of the page: a line of legible letters. */
export const LEAST_TEXT_BOX = [10, 2.5] as const;
