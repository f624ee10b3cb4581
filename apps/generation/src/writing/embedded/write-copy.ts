import type { Brief, Copy, CopyFormat, Idea, PageTexts } from '../composer.ts';
import type { Source } from '../../input/source.ts';
import { fitPlatforms } from '../fit-platforms.ts';
import { hashtagsOf, materialOf, type Material } from './material.ts';
import { phrasesFor, toneOf, type Phrases } from './phrases.ts';
import { choose, similarity, type Ranked } from './rank.ts';
import { asHeadline, capitalised, ended, headline, sentencesOf } from './sentences.ts';
import { wordsOf } from './words.ts';
import { isBanned, ruled } from './writing-rules.ts';

const MAX_TITLE = 100;
const BODY_SENTENCES = 3;
const MAX_HEADLINE = 80;
const MAX_BODY = 180;
const MAX_LABEL = 40;
const SLIDES = 4;
const HASHTAGS = 4;
/** From this share of common words on, two sentences count as the same. */
const SAME = 0.8;
const MAX_ALT = 400;

/** The parts of a post. */
interface Parts {
  readonly material: Material;
  readonly phrases: Phrases;
  readonly title: string;
  readonly opening: string;
  readonly closing: string;
  /** The title of its topic; empty without one. */
  readonly topic: string;
  /** Other sentences than the title, most relevant first. */
  readonly beside: readonly Ranked[];
}

/** The texts of a post: its idea, related sentences of the source, an opening and a closing. Posts of the same idea differ by `index`. */
export async function writeCopy(of: { source: Source; brief: Brief; idea: Idea; format: CopyFormat; index: number }): Promise<Copy> {
  const { format, brief } = of;
  const parts = await partsOf(of);
  const { material, title } = parts;
  const body = bodyOf(parts);
  const hashtags = material.rules.noHashtags
    ? []
    : hashtagsOf(
        [brief.industry, title, ...parts.beside.slice(0, BODY_SENTENCES).map(({ text }) => text)].join(' '),
        material,
        material.rules.maxHashtags ?? HASHTAGS,
      );
  const fitted = fitPlatforms({ body, hashtags }, brief.platforms);
  const pages = pagesOf(format, parts, brief).map((page) => tidied(page, material));
  return { ...fitted, title: headline(title, MAX_TITLE), pages, altText: altTextOf(pages, title) };
}

async function partsOf({ source, brief, idea, index }: Parameters<typeof writeCopy>[0]): Promise<Parts> {
  const material = await materialOf(source, brief);
  const { rules, stopWords, sentences, isOwn } = material;
  const phrases = phrasesFor(material.language);
  const near = new Set(wordsOf(`${idea.title} ${idea.summary}`, stopWords));
  const titleWords = new Set(wordsOf(idea.title, stopWords));
  const isSame = (words: ReadonlySet<string>) => similarity(words, titleWords) >= SAME;
  const others = sentences
    .filter(({ words }) => !isSame(words))
    .filter(({ text }) => asHeadline(text) !== asHeadline(idea.title) && !idea.title.startsWith(asHeadline(text)));
  // Posts of the same idea start at different sentences.
  const ordered = choose(others, Math.min(others.length, 12), near, [{ words: titleWords }]);
  const rotated = [...ordered.slice(index % 3), ...ordered.slice(0, index % 3)];
  const beside = [...rotated.filter(isOwn), ...rotated.filter((one) => !isOwn(one))];
  const closings = phrases.closings[toneOf(brief.voice)].filter(
    (text) => !isBanned(text, rules) && !(rules.noQuestions && /[?？؟]/.test(text)),
  );
  const openings = phrases.openings.filter((text) => !isBanned(text, rules));
  return {
    ...{ material, phrases, beside, title: ruled(capitalised(idea.title), rules), topic: idea.topic?.title.slice(0, MAX_LABEL) ?? '' },
    opening: rules.beginning === '' ? (openings[index % openings.length] ?? '') : '',
    closing: rules.ending === '' ? (closings[index % closings.length] ?? '') : rules.ending,
  };
}

/** The caption without its hashtags. */
function bodyOf({ material: { rules }, opening, closing, title, beside }: Parts): string {
  // With few sentences, each post gets only some, so that posts differ.
  const body = beside
    .slice(0, Math.min(BODY_SENTENCES, Math.ceil(beside.length / 2)))
    .toSorted((one, other) => one.index - other.index)
    .map(({ text }) => ended(text))
    .join(' ');
  const first = [rules.beginning, opening === '' ? ended(title) : `${opening}${ended(title)}`].filter((part) => part !== '').join(' ');
  const whole = [first, body, closing]
    .map((part) => ruled(part, rules))
    .filter((part) => part !== '')
    .join('\n\n');
  if (rules.maxCharacters === undefined || whole.length <= rules.maxCharacters) return whole;
  // An ending that a rule requires stays at the end.
  const kept = rules.ending;
  const room = rules.maxCharacters - (kept === '' ? 0 : kept.length + 2);
  return [headline(first, Math.max(room, 1)), kept].filter((part) => part !== '').join('\n\n');
}

function pagesOf(format: CopyFormat, parts: Parts, brief: Brief): PageTexts[] {
  const { title, beside, phrases, closing, topic } = parts;
  const main = headline(title, MAX_HEADLINE);
  const [first] = beside;
  const body = first
    ? headline(first.text, MAX_BODY)
    : brief.description === ''
      ? ''
      : headline(sentencesOf(brief.description)[0]?.text ?? '', MAX_BODY);
  switch (format) {
    case 'image':
      return [{ headline: main }];
    case 'meme':
      return [{ top: main, bottom: headline(first?.text ?? closing, MAX_HEADLINE) }];
    case 'carousel':
    case 'slides': {
      const slides = beside
        .slice(0, SLIDES)
        .toSorted((one, other) => one.index - other.index)
        .map(slideOf);
      return [
        { headline: main, body: slides.length > 0 ? '' : body, label: format === 'carousel' ? phrases.swipe : topic },
        ...slides,
        { headline: asHeadline(closing) || main, cta: phrases.button },
      ];
    }
    case 'design':
      return [{ headline: main, quote: main, body, label: topic, cta: phrases.button }];
  }
}

/** A sentence as a slide. The first part of a long sentence becomes the headline, and the rest the body. */
function slideOf({ text }: Ranked): PageTexts {
  const whole = asHeadline(text);
  if (whole.length <= MAX_HEADLINE) return { headline: whole };
  const first = headline(whole, MAX_HEADLINE);
  if (first.endsWith('…')) return { headline: first };
  return { headline: first, body: headline(whole.slice(first.length).replace(/^[\s,;:–、]+/, ''), MAX_BODY) };
}

const tidied = (page: PageTexts, { rules }: Material): PageTexts =>
  Object.fromEntries(
    Object.entries(page)
      .map(([slot, text]) => [slot, ruled(text, rules)] as const)
      .filter(([, text]) => text !== ''),
  );

const altTextOf = (pages: readonly PageTexts[], title: string): string =>
  [...new Set([pages[0]?.headline ?? pages[0]?.top ?? title, pages[0]?.body ?? pages[0]?.bottom ?? ''])]
    .filter((text) => text !== '')
    .map(ended)
    .join(' ')
    .slice(0, MAX_ALT);
