import {
  countText,
  fitText,
  limitsFor,
  paddingHelps,
  textLimitOf,
  type CheckedContent,
  type PlatformRules,
  type TextLimit,
} from '@fanfare/connectors/preflight';
import type { Track } from './tracked-content.ts';

/**
 * The value that a field of the override needs for the platform to accept the content.
 * @param track adds the link tracking; the fix does not contain it, but leaves room for it
 */
export function fixOf(
  content: CheckedContent,
  { field, rule }: { readonly field: string; readonly rule: string },
  rules: PlatformRules,
  track: Track = (given) => given,
): { field: string; value: string } | undefined {
  if (rule === 'ratio') return paddingFix(content, Number(field.split('.')[1]), rules);
  const limits = limitsFor(rules.limits, content.options);
  const texts: Readonly<Record<string, readonly [string | undefined, TextLimit | undefined]>> = {
    caption: [content.caption, textLimitOf(limits, track(content))],
    title: [content.title, limits.title],
    first_comment: [content.firstComment, limits.comment],
  };
  const [text, limit] = texts[field] ?? [];
  if (!(rule.startsWith('max_') || rule === 'forbidden') || text === undefined || !limit) return undefined;
  const trackText = (caption: string) => (field === 'title' ? caption : track({ ...content, caption }).caption);
  const value = fitTracked(text, limit, trackText);
  // An empty text would be rejected as missing.
  return value === undefined || value.trim() === '' ? undefined : { field, value };
}

/** Undefined if the text has more links than fit. */
function fitTracked(text: string, limit: TextLimit, track: (text: string) => string): string | undefined {
  const tracked = track(text);
  if (tracked === text) return fitText(text, limit);
  const added = countText(tracked, limit.unit) - countText(text, limit.unit);
  const value = fitText(text, { ...limit, max: Math.max(0, limit.max - added) });
  // A link that was cut may have lost its own UTM parameters, and gets those of the business then.
  return countText(track(value), limit.unit) <= limit.max ? value : undefined;
}

/** Sets `media_fit` to pad, if the platform has this option and padding solves the problem. */
function paddingFix(
  { media, options }: CheckedContent,
  index: number,
  { limits }: PlatformRules,
): { field: string; value: string } | undefined {
  const one = media[index];
  return one && paddingHelps(limits, one, options) ? { field: 'options.media_fit', value: 'pad' } : undefined;
}
