import type { GuardedClient } from '@fanfare/guarded-http';
import { languageOf } from './language-of.ts';
import { readWebsite } from './read-website.ts';
import { shortened } from './shortened.ts';
import { SourceRejected, type Source } from './source.ts';

/** The input of a job; at least one must be given. */
interface GivenSource {
  readonly content: string | null;
  readonly websiteUrl: string | null;
  readonly customIdea: string | null;
}

/**
 * Reads the source of generated posts. An idea is used alone; a text and a website are combined.
 * @param hint the likely language of the text
 * @throws SourceRejected, SourceUnavailable
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
  if (text === '') throw new SourceRejected('The text is empty.');
  return { kind: customIdea === null ? 'text' : 'idea', title: '', text, language: await languageOf(text, hint), url: '' };
}

/** Removes control characters and repeated empty lines. Cuts a long text first. */
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
