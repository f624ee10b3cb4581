import { derivedId } from '@fanfare/runtime';
import { contentOf } from '../designs/create-design.ts';
import type { DesignContent, DesignPage } from '../designs/design.ts';
import { drawDesign } from '../designs/draw-design.ts';
import type { Context } from '../context.ts';
import type { KnownTemplate } from '../templates/find-template.ts';
import { missingFont } from '../rendering/fonts/missing-characters.ts';
import { shortened } from '../templates/slot-length.ts';
import { slotsOf, takesImage, type TemplateFormat } from '../templates/template.ts';
import { pageAt, themeNameOf } from '../templates/to-template.ts';
import type { PageTexts } from '../writing/composer.ts';
import { chooseTemplate } from './choose-template.ts';
import { CreativeFailed, mediaOperation, type Creative, type CreativeOrder } from './creative.ts';
import { matchingImage } from './library-image.ts';

/** A design, carousel or meme: a template with the copy, the business's colors, fonts and logo, and an image of its library if one matches. */
export const drawn: Creative = async (context, order) => {
  const { jobId, draft, brief, copy, metadata, signal } = order;
  const { content, keyword, themeName } = await contentFor(context, order, draft.format as TemplateFormat);
  const operationId = derivedId(jobId, mediaOperation(draft, 'design'));
  const owner = { businessName: brief.businessName, language: draft.language ?? brief.language };
  const { media, contrast } = await drawDesign(context, content, owner, metadata, { operationId, format: 'png', signal });
  const made = {
    media,
    design: { ...content, theme_name: themeName },
    image_keyword: keyword,
    ...(contrast !== undefined && { contrast }),
  };
  const warning = copy.pages.length > 0 ? fontWarning(content, owner.language) : 'The image has no text.';
  return { made: warning === undefined ? made : { ...made, warning } };
};

/** What the texts of a creative have no font for. */
export const fontWarning = ({ pages }: DesignContent, language: string): string | undefined =>
  missingFont(pages.flatMap(({ texts }) => Object.values(texts)).join(' '), language);

/** The content of a generated post's design. */
export async function contentFor(
  context: Context,
  { jobId, draft, copy, idea, look, request, metadata, libraryImages }: CreativeOrder,
  format: TemplateFormat,
): Promise<{ content: DesignContent; keyword: string; themeName: string }> {
  const words = [idea.imageKeyword, copy.title, idea.title].join(' ');
  const image = matchingImage(await libraryImages(), words, draft.index);
  const [texts = {}] = copy.pages;
  const toShow = { format, texts, hasImage: image !== undefined, among: request.template_ids, turn: turnOf(jobId) + draft.index };
  const template = await chooseTemplate(context.db, metadata, toShow);
  if (!template) throw new CreativeFailed(`None of the templates in template_ids has the format ${format}.`);
  const pages = pagesFor(template, copy.pages, copy.altText, image?.id ?? null);
  return {
    themeName: themeNameOf(template.definition),
    keyword: pages.some(({ image_media_id }) => image_media_id !== null) ? idea.imageKeyword || words.trim().slice(0, 80) : '',
    content: {
      ...contentOf(template),
      aspect_ratio: request.aspect_ratio,
      pages,
      palette: look.palette,
      fonts: look.fonts,
      logo_media_id: look.logo_media_id,
    },
  };
}

/** Lets jobs start with different templates. */
const turnOf = (jobId: string): number => Number.parseInt(jobId.slice(-4), 16);

/** Each page shows the texts that it has slots for. The main text goes into the main slot if its own slot is missing. */
function pagesFor({ definition }: KnownTemplate, given: readonly PageTexts[], altText: string, imageMediaId: string | null): DesignPage[] {
  const all = definition.format === 'carousel' ? atLeastTwo(given) : [given[0] ?? {}];
  return all.map((texts, index) => {
    const page = pageAt(definition, index + 1, all.length);
    return {
      texts: placed(texts, slotsOf(page)),
      image_media_id: takesImage(page) ? imageMediaId : null,
      alt_text: index === 0 ? altText : '',
    };
  });
}

const atLeastTwo = (pages: readonly PageTexts[]): readonly PageTexts[] =>
  pages.length >= 2 ? pages.slice(0, 10) : [pages[0] ?? {}, { headline: pages[0]?.cta ?? pages[0]?.body ?? pages[0]?.headline ?? '' }];

const MAIN_SLOTS = ['headline', 'quote', 'top', 'number'] as const;

function placed(texts: PageTexts, slots: readonly string[]): Record<string, string> {
  const given = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  const kept = Object.fromEntries(given.filter(([slot]) => slots.includes(slot)).map(([slot, text]) => [slot, shortened(text, slot)]));
  const main = MAIN_SLOTS.find((slot) => slots.includes(slot));
  const spoken = texts.headline ?? texts.quote ?? texts.top ?? texts.body;
  if (main && kept[main] === undefined && spoken !== undefined && !Object.values(kept).includes(spoken))
    kept[main] = shortened(spoken, main);
  return kept;
}
