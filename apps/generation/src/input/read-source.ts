import type { GuardedClient } from '@fanfare/guarded-http';
import { languageOf } from './language-of.ts';
import { readWebsite } from './read-website.ts';
import { shortened } from './shortened.ts';
import { SourceRefused, type Source } from './source.ts';

/** What a job may be given; at least one of them. */
export interface GivenSource {
  readonly content: string | null;
  readonly websiteUrl: string | null;
  readonly customIdea: string | null;
}

/**
 * Reads what drafts are made of. An idea needs no more than itself; a text and a website go together.
 * @param hint the language that a text is likely to be in
 * @throws SourceRefused, SourceUnavailable
 */
export async function readSource(given: GivenSource, web: GuardedClient, signal: AbortSignal, hint?: string): Promise<Source> {
  const { content, websiteUrl, customIdea } = given;
  if (websiteUrl !== null) {
    const page = await readWebsite(web, websiteUrl, signal);
    const text = [customIdea, content].filter((part) => part !== null).map(normalised);
    return text.length === 0 ? page : { ...page, text: shortened([...text, page.text].join('\n\n')) };
  }
  const text = shortened(
    [customIdea, content]
      .filter((part) => part !== null)
      .map(normalised)
      .join('\n\n'),
  );
  if (text === '') throw new SourceRefused('The text is empty.');
  return { kind: customIdea === null ? 'text' : 'idea', title: '', text, language: await languageOf(text, hint), url: '' };
}

/** No control characters, no more than one empty line. A long text is cut before it is worked through. */
function normalised(text: string): string {
  return text
    .slice(0, 100_000)
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (/[\n\t\u200c\u200d\u200e\u200f]/.test(character) ? character : ''))
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
