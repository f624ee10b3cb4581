import { countText, type Platform } from '@fanfare/connectors';
import { fitText, platformRules, type TextLimit } from '@fanfare/connectors/preflight';

/** More hashtags look like spam on every platform. */
const MOST_HASHTAGS = 8;

/** A caption in parts. */
interface CaptionParts {
  readonly body: string;
  /** Without #. */
  readonly hashtags: readonly string[];
}

/** The caption rules of a platform; undefined if it has none. */
export const textLimitFor = (platform: Platform): TextLimit | undefined => platformRules[platform]?.limits.text;

/** The length of a caption as a platform counts it; in characters without one. */
export function countFor(platform: Platform | undefined, text: string): number {
  const limit = platform && textLimitFor(platform);
  return countText(text, limit?.unit ?? 'code_points');
}

/** A caption with its hashtags below it. */
export const wholeCaption = ({ body, hashtags }: CaptionParts): string =>
  [body.trim(), hashtags.map((tag) => `#${tag}`).join(' ')].filter((part) => part !== '').join('\n\n');

/** One caption for all platforms, and shorter ones for those whose limits it exceeds. */
export function fitPlatforms(
  given: CaptionParts,
  platforms: readonly Platform[],
): { caption: string; hashtags: string[]; platformCaptions: Partial<Record<Platform, string>> } {
  const hashtags = given.hashtags.slice(0, MOST_HASHTAGS);
  const caption = wholeCaption({ body: given.body, hashtags });
  const platformCaptions: Partial<Record<Platform, string>> = {};
  for (const platform of platforms) {
    const own = fitPlatform({ body: given.body, hashtags }, platform);
    if (own !== caption) platformCaptions[platform] = own;
  }
  return { caption, hashtags, platformCaptions };
}

/** Shortens a caption to the platform's limit: removes hashtags first, then whole sentences, then words. */
export function fitPlatform({ body, hashtags }: CaptionParts, platform: Platform): string {
  const limit = textLimitFor(platform);
  if (!limit) return wholeCaption({ body, hashtags });
  const fits = (text: string) => countText(text, limit.unit) <= limit.max && fitText(text, limit) === text;
  for (let kept = Math.min(hashtags.length, limit.maxHashtags ?? hashtags.length); kept >= 0; kept--) {
    const whole = wholeCaption({ body, hashtags: hashtags.slice(0, kept) });
    if (fits(whole)) return whole;
    // Two hashtags are more valuable than a sentence.
    if (kept <= 2) {
      const shorter = bySentence(body, (part) => fits(wholeCaption({ body: part, hashtags: hashtags.slice(0, kept) })));
      if (shorter !== '') return wholeCaption({ body: shorter, hashtags: hashtags.slice(0, kept) });
    }
  }
  return fitText(body, limit);
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The first whole sentences that fit. */
function bySentence(body: string, fits: (text: string) => boolean): string {
  let kept = '';
  for (const { segment } of sentences.segment(body)) {
    if (!fits((kept + segment).trim())) break;
    kept += segment;
  }
  return kept.trim();
}
