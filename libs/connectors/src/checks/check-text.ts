import twitter from 'twitter-text';
import type { CheckedContent, ContentFinding } from './content-finding.ts';
import { countText, HASHTAG, MENTION } from '../text/count-text.ts';
import { limitsFor, type Limits, type TextLimit } from '../limits.ts';
import { linkBehind } from '../text/link-behind.ts';

/** Checks a caption, a title or a comment against its limit. */
export function checkText(field: string, text: string, limit: TextLimit): ContentFinding[] {
  // Counting is expensive, so only what is limited is counted.
  const counts = [
    ['max_length', limit.unit === 'utf8_bytes' ? 'bytes' : 'characters', limit.max, () => countText(text, limit.unit)],
    ['max_hashtags', 'hashtags', limit.maxHashtags, () => text.match(HASHTAG)?.length ?? 0],
    ['max_mentions', 'mentions', limit.maxMentions, () => text.match(MENTION)?.length ?? 0],
    ['max_cashtags', 'cashtags', limit.maxCashtags, () => twitter.extractCashtags(text).length],
  ] as const;
  const tooMany = counts.flatMap(([rule, what, max, count]) => {
    if (max === undefined) return [];
    const value = count();
    return value > max ? [{ rule, field, limit: max, value, message: `${value} ${what}; at most ${max} are allowed.` }] : [];
  });
  const value = (limit.forbidden ?? []).filter((one) => text.includes(one)).join(' ');
  if (value === '') return tooMany;
  return [
    ...tooMany,
    { rule: 'forbidden', field, limit: limit.forbidden?.join(' ') ?? '', value, message: `The text must not contain ${value}.` },
  ];
}

/** Videos may have a text limit of their own, and an appended link uses part of the limit. */
export function textLimitOf(all: Limits, { caption, link, media, options }: CheckedContent): TextLimit {
  const { text, videos, appendsLink } = limitsFor(all, options);
  const limit = media.some(({ type }) => type === 'video') ? (videos.text ?? text) : text;
  if (!appendsLink || !link) return limit;
  const isIn = caption.includes(link) && countText(caption, limit.unit) <= limit.max;
  return isIn ? limit : { ...limit, max: Math.max(0, limit.max - countText(linkBehind('a', link).slice(1), limit.unit)) };
}
