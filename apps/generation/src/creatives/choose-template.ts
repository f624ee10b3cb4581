import type { Db } from 'mongodb';
import type { Scope } from '../scope.ts';
import { BUILTIN_KNOWN, knownOf, type KnownTemplate } from '../templates/find-template.ts';
import { findOwnTemplates } from '../templates/store/own-templates.ts';
import { slotsOf, takesImage, type TemplateFormat } from '../templates/template.ts';
import type { PageTexts } from '../writing/composer.ts';

const MOST_OWN = 200;

/** What a template must show. */
interface ToShow {
  readonly format: TemplateFormat;
  readonly texts: PageTexts;
  readonly hasImage: boolean;
  /** Ids to choose from; empty means any. */
  readonly among: readonly string[];
  /** The position in the rotation of equally good templates. */
  readonly turn: number;
}

/**
 * The template of a generated post: among the allowed ones of its format, those that show its texts and image best, in turn.
 * Undefined if the caller named templates and none has this format.
 */
export async function chooseTemplate(db: Db, scope: Scope, toShow: ToShow): Promise<KnownTemplate | undefined> {
  const { format, among, turn } = toShow;
  const own = (await findOwnTemplates(db, scope, { format, ...(among.length > 0 && { ids: among }) }, MOST_OWN)).map(knownOf);
  const all = [...own, ...BUILTIN_KNOWN.filter(({ definition }) => definition.format === format)];
  const allowed = among.length > 0 ? all.filter(({ id }) => among.includes(id)) : all;
  const ranked = allowed.map((template) => ({ template, fit: fitOf(template, toShow) }));
  const best = Math.max(...ranked.map(({ fit }) => fit));
  const fitting = ranked.filter(({ fit }) => fit === best);
  return fitting[turn % fitting.length]?.template;
}

/** How well its first page fits the content: each omitted text and each empty image layer lowers the score. */
function fitOf({ definition: { page } }: KnownTemplate, { texts, hasImage }: ToShow): number {
  const slots: readonly string[] = slotsOf(page);
  const given = Object.entries(texts).filter(([, text]) => text !== '');
  const shown = given.filter(([slot]) => slots.includes(slot)).length;
  const main = shown > 0 || given.length === 0 ? 0 : -10;
  // A template with a number needs one.
  const number = slots.includes('number') && !texts.number ? -6 : 0;
  const image = takesImage(page) === hasImage ? 2 : takesImage(page) ? -4 : 0;
  return main + number + Math.min(shown, 2) + image;
}
