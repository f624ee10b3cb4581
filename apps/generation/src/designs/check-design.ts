import type { DesignPage as PageMessage } from '@fanfare/contracts/generation/designs';
import { DomainError } from '@fanfare/errors';
import { FAMILIES } from '../rendering/fonts/families.ts';
import { missingFont } from '../rendering/fonts/missing-characters.ts';
import type { KnownTemplate } from '../templates/find-template.ts';
import { lengthInSlot, mostCharacters } from '../templates/slot-length.ts';
import { ASPECT_RATIOS, slotsOf, takesImage, type AspectRatio } from '../templates/template.ts';
import { pageAt } from '../templates/to-template.ts';
import type { DesignPage } from './design.ts';

const MAX_PAGES = 10;

/** @throws DomainError invalid_value */
export function checkRatio(ratio: string): AspectRatio {
  const known = ASPECT_RATIOS.find((one) => one === ratio);
  if (known) return known;
  throw new DomainError('invalid_value', `aspect_ratio must be one of ${ASPECT_RATIOS.join(', ')}.`, { param: 'aspect_ratio' });
}

/** @throws DomainError invalid_value */
export function checkPalette(palette: readonly string[]): string[] {
  const at = palette.findIndex((colour) => !/^#[0-9a-f]{6}$/i.test(colour));
  if (at >= 0) throw new DomainError('invalid_value', 'Colors must be written as #rrggbb.', { param: `palette.${at}` });
  return palette.map((colour) => colour.toLowerCase());
}

/** @throws DomainError invalid_value */
export function checkFonts(fonts: readonly string[]): string[] {
  const known = Object.keys(FAMILIES);
  return fonts.map((given, index) => {
    const family = known.find((one) => one.toLowerCase() === given.trim().toLowerCase());
    if (family !== undefined) return family;
    throw new DomainError('invalid_value', `The font must be one of ${known.join(', ')}.`, { param: `fonts.${index}` });
  });
}

/**
 * Checks pages and returns them as they are stored.
 * @throws DomainError invalid_value that names the page and the slot
 */
export function checkPages(pages: readonly PageMessage[], { definition }: KnownTemplate): DesignPage[] {
  const isCarousel = definition.format === 'carousel';
  if (pages.length === 0) throw new DomainError('missing_field', 'A design must have at least one page.', { param: 'pages' });
  const [least, most] = isCarousel ? [2, MAX_PAGES] : [1, 1];
  if (pages.length < least || pages.length > most) {
    const many = isCarousel ? `A carousel must have ${least} to ${most} pages.` : 'This template has only one page.';
    throw new DomainError('invalid_value', many, { param: 'pages' });
  }
  return pages.map(({ texts, imageMediaId, altText }, index) => {
    const page = pageAt(definition, index + 1, pages.length);
    const slots = slotsOf(page);
    for (const [slot, text] of Object.entries(texts)) {
      const param = `pages.${index}.texts.${slot}`;
      if (!slots.includes(slot as never)) {
        const known = slots.length > 0 ? `Its text slots are ${slots.join(', ')}.` : 'It has no text slots.';
        throw new DomainError('invalid_value', `This page of the template has no text slot with this name. ${known}`, { param });
      }
      const most = mostCharacters(slot);
      if (lengthInSlot(text, slot) > most) {
        const wide = lengthInSlot(text, slot) > text.length ? '; Chinese, Japanese and Korean characters count twice' : '';
        throw new DomainError('invalid_value', `A text in the slot ${slot} can have at most ${most} characters${wide}.`, { param });
      }
      const problem = missingFont(text, '');
      if (problem !== undefined) throw new DomainError('invalid_value', problem, { param });
    }
    if (imageMediaId !== undefined && !takesImage(page))
      throw new DomainError('invalid_value', 'This page of the template has no image.', { param: `pages.${index}.image_media_id` });
    return { texts, image_media_id: imageMediaId ?? null, alt_text: altText };
  });
}
