import { LRUCache } from 'lru-cache';
import type { Source } from '../../input/source.ts';
import type { Brief } from '../composer.ts';
import { sizeOf } from '../../input/size-of.ts';
import { rank, type Ranked } from './rank.ts';
import { sentencesOf } from './sentences.ts';
import { stopWordsOf, wordsOf } from './words.ts';
import { isBanned, readRules, type WritingRules } from './writing-rules.ts';

/** The material for posts. */
export interface Material {
  /** The language of the posts: that of the source, because its sentences are used unchanged. */
  readonly language: string;
  readonly stopWords: ReadonlySet<string>;
  readonly sentences: readonly Ranked[];
  /** Whether a sentence is from the source, not from the description of the business. */
  readonly isOwn: (sentence: Ranked) => boolean;
  readonly rules: WritingRules;
}

/** With fewer characters, the language of a text is uncertain. */
const SHORT = 60;
/** With fewer sentences, the description of the business is added. */
const FEW = 4;

/** The materials of running jobs: each idea and post of a job needs the same one, and reading a long text takes some 15 ms. */
const materials = new LRUCache<string, Promise<Material>>({ max: 20 });

/** The sentences of a source and the rules for writing. Read once for all posts of a job. */
export function materialOf(source: Source, brief: Brief): Promise<Material> {
  const key = JSON.stringify([source.kind, source.language, brief.language, brief.rules, brief.description, source.text]);
  const known = materials.get(key);
  if (known) return known;
  const material = readMaterial(source, brief);
  materials.set(key, material);
  material.catch(() => materials.delete(key));
  return material;
}

async function readMaterial(source: Source, brief: Brief): Promise<Material> {
  const isOfSource = source.language !== 'und' && sizeOf(source.text) >= SHORT;
  const language = isOfSource ? source.language : brief.language;
  const stopWords = await stopWordsOf(language);
  const rules = readRules(brief.rules);
  const own = sentencesOf(source.text, { isPage: source.kind === 'website' });
  const said = new Set(own.map(({ text }) => text.toLowerCase()));
  const about = own.length < FEW && !isForeign(language, brief) ? sentencesOf(brief.description) : [];
  const all = [...own, ...about.filter(({ text }) => !said.has(text.toLowerCase()))].map((one, index) => ({ ...one, index }));
  const allowed = all.filter(({ text }) => !isBanned(text, rules));
  const isOwn = ({ index }: Ranked) => index < own.length;
  return { language, stopWords, rules, sentences: rank(allowed.length > 0 ? allowed : all, stopWords), isOwn };
}

const isForeign = (language: string, brief: Brief): boolean => language.split('-')[0] !== brief.language.split('-')[0];

const MAX_HASHTAG = 24;
const LEAST_LATIN = 4;

/**
 * The words of a text that are most frequent in the source, as hashtags.
 * @param text the text that contains the words
 */
export function hashtagsOf(text: string, { stopWords, language, sentences }: Material, most: number): string[] {
  const uses = (word: string) => sentences.filter(({ words }) => words.has(word)).length;
  const words = [...new Set(wordsOf(text, stopWords))].filter((word) => isTag(word));
  return words
    .map((word, at) => ({ word, at, weight: (1 + uses(word)) * Math.sqrt(word.length) }))
    .toSorted((one, other) => other.weight - one.weight || one.at - other.at)
    .slice(0, most)
    .map(({ word }) => word.normalize('NFC').toLocaleLowerCase(language === 'und' ? undefined : language));
}

const isTag = (word: string): boolean =>
  [...word].length <= MAX_HASHTAG &&
  /^[\p{L}\p{M}\p{N}_]+$/u.test(word) &&
  (word.length >= LEAST_LATIN || !/^\p{Script=Latin}+$/u.test(word));
