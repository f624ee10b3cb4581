import type { Template as TemplateMessage, TemplateSlot } from '@fanfare/contracts/generation';
import type { KnownTemplate } from './find-template.ts';
import { ASPECT_RATIOS, slotsOf, takesImage, type Page, type Template } from './template.ts';

/** @param isWhole whether to include the definition */
export const toTemplate = ({ id, definition, own }: KnownTemplate, isWhole: boolean): TemplateMessage => ({
  id,
  name: definition.name,
  format: definition.format,
  themeName: themeNameOf(definition),
  isOwn: own !== undefined,
  slots: templateSlots(definition),
  aspectRatios: [...ASPECT_RATIOS],
  previewToken: own?.preview_token ?? '',
  definition: isWhole ? definition : undefined,
  createdAt: own?.created_at,
});

/** The first tag is the name of the look. */
export const themeNameOf = ({ tags, name }: Template): string => tags[0] ?? name;

export const pagesOf = ({ page, inner_page, last_page }: Template): Page[] =>
  [page, inner_page, last_page].filter((one) => one !== undefined);

function templateSlots(template: Template): TemplateSlot[] {
  const pages = pagesOf(template);
  const texts = [...new Set(pages.flatMap(slotsOf))].map((name) => ({ name, kind: 'text' }));
  return [
    ...texts,
    ...(pages.some(takesImage) ? [{ name: 'image', kind: 'image' }] : []),
    ...(pages.some(({ layers }) => layers.some(({ kind }) => kind === 'logo')) ? [{ name: 'logo', kind: 'logo' }] : []),
  ];
}

/** The page of a template for a page number, from 1. */
export function pageAt({ page, inner_page, last_page }: Template, number: number, of: number): Page {
  if (number === 1) return page;
  if (number === of) return last_page ?? inner_page ?? page;
  return inner_page ?? page;
}
