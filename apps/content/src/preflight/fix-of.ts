import {
  fitText,
  limitsFor,
  paddingHelps,
  textLimitOf,
  type CheckedContent,
  type PlatformRules,
  type TextLimit,
} from '@fanfare/connectors/preflight';

/** What the override would need, in one of its fields, for the platform to take what was found wrong. */
export function fixOf(
  content: CheckedContent,
  { field, rule }: { readonly field: string; readonly rule: string },
  rules: PlatformRules,
): { field: string; value: string } | undefined {
  if (rule === 'ratio') return paddingFix(content, Number(field.split('.')[1]), rules);
  const limits = limitsFor(rules.limits, content.options);
  const texts: Readonly<Record<string, readonly [string | undefined, TextLimit | undefined]>> = {
    caption: [content.caption, textLimitOf(limits, content)],
    title: [content.title, limits.title],
    first_comment: [content.firstComment, limits.comment],
  };
  const [text, limit] = texts[field] ?? [];
  if (!(rule.startsWith('max_') || rule === 'forbidden') || text === undefined || !limit) return undefined;
  const value = fitText(text, limit);
  // A text of which nothing is left would be missing instead.
  return value.trim() === '' ? undefined : { field, value };
}

/** That the media is padded, where that can be chosen and helps. */
function paddingFix(
  { media, options }: CheckedContent,
  index: number,
  { limits }: PlatformRules,
): { field: string; value: string } | undefined {
  const one = media[index];
  return one && paddingHelps(limits, one, options) ? { field: 'options.media_fit', value: 'pad' } : undefined;
}
