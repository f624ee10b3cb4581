import { CANVAS_SIZES, type AspectRatio, type Page, type TextSlot } from '@fanfare/resources/template-definition';

export * from '@fanfare/resources/template-definition';

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
