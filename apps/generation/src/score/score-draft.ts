import { PLATFORMS, type Platform } from '@fanfare/connectors';
import type { PlatformLength, Score } from '@fanfare/contracts/generation';
import type { Copy } from '../writing/composer.ts';
import { countFor, textLimitFor } from '../writing/fit-platforms.ts';
import { readabilityOf } from './readability.ts';

/** The input of a score. */
export interface Measured {
  readonly copy: Pick<Copy, 'caption' | 'platformCaptions'>;
  readonly language: string;
  /** Empty means all. */
  readonly platforms: readonly Platform[];
  /** The lowest contrast of a text on its image; undefined without texts. */
  readonly contrast: number | undefined;
  /** The phrases of the latest posts' captions, each by `phrasesOf`. */
  readonly recentPhrases: readonly ReadonlySet<string>[];
}

/** Computes the score from the generated post. Parts that cannot be computed are left out. */
export function scoreDraft({ copy, language, platforms, contrast, recentPhrases }: Measured): Score {
  const lengths = (platforms.length > 0 ? platforms : PLATFORMS).flatMap((platform) => lengthOn(platform, copy));
  const readability = readabilityOf(withoutHashtags(copy.caption), language);
  const parts = {
    readability: readability?.score,
    length: lengths.length > 0 ? rounded(mean(lengths.map(lengthScore))) : undefined,
    contrast: contrast === undefined ? undefined : contrastScore(contrast),
    originality: originalityOf(copy.caption, recentPhrases),
  };
  const present = Object.values(parts).filter((part) => part !== undefined);
  return {
    ...parts,
    overall: present.length > 0 ? rounded(mean(present)) : 0,
    readabilityMeasure: readability?.measure ?? '',
    contrastRatio: contrast === undefined ? undefined : Math.round(contrast * 100) / 100,
    lengths,
  };
}

function lengthOn(platform: Platform, { caption, platformCaptions }: Measured['copy']): PlatformLength[] {
  const limit = textLimitFor(platform);
  return limit ? [{ platform, characters: countFor(platform, platformCaptions[platform] ?? caption), limit: limit.max }] : [];
}

/** The characters of a caption that most platforms show before it is expanded. */
const SHOWN = 125;
/** Longer captions are rarely read to the end. */
const LONG = 1_200;

/** 100 for usual lengths; less for very short or long captions; 0 beyond the limit. */
function lengthScore({ characters, limit }: PlatformLength): number {
  if (characters > limit) return 0;
  const least = Math.min(SHOWN, limit) * 0.4;
  if (characters < least) return 100 * (characters / least);
  const long = Math.min(LONG, limit);
  if (characters <= long) return 100;
  return Math.max(40, 100 - (60 * (characters - long)) / Math.max(1, limit - long));
}

/** 100 from 7:1 (WCAG 2.2, AAA), 0 at 1:1. */
const contrastScore = (ratio: number): number => rounded(Math.min(100, Math.max(0, ((ratio - 1) / 6) * 100)));

/** 100 minus the largest share of its phrases that another caption also has. Undefined for a caption without a phrase. */
function originalityOf(caption: string, others: readonly ReadonlySet<string>[]): number | undefined {
  const own = phrasesOf(caption);
  if (own.size === 0) return undefined;
  const shares = others.map((theirs) => [...own].filter((phrase) => theirs.has(phrase)).length / own.size);
  return rounded(100 * (1 - Math.max(0, ...shares)));
}

const PHRASE_WORDS = 3;

/** The phrases of three words of a caption, without its hashtags. */
export function phrasesOf(text: string): Set<string> {
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(withoutHashtags(text).toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
  return new Set(words.slice(PHRASE_WORDS - 1).map((_, at) => words.slice(at, at + PHRASE_WORDS).join(' ')));
}

const withoutHashtags = (text: string): string => text.replaceAll(/#[\p{L}\p{M}\p{N}_]+/gu, ' ');
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (value: number): number => Math.round(value * 10) / 10;
