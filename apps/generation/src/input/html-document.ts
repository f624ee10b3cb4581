import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

/** The used part of an element's interface. The types of linkedom need browser types. */
export interface HtmlElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
  remove(): void;
}

interface HtmlDocument extends HtmlElement {
  readonly title: string;
  readonly body: HtmlElement | null;
  readonly documentElement: HtmlElement | null;
}

export const parseHtml = (html: string): HtmlDocument =>
  (parseHTML as unknown as (html: string) => { document: HtmlDocument })(html).document;

/**
 * The article of a page. Changes the document. Undefined if the page has no article or too many elements.
 * @returns its content as HTML
 */
export function articleOf(document: HtmlDocument, maxElements: number): { title: string; content: string } | undefined {
  const Reader = Readability as unknown as new (
    document: HtmlDocument,
    options: { maxElemsToParse: number },
  ) => { parse(): { title?: string; content?: string } | null };
  try {
    const article = new Reader(document, { maxElemsToParse: maxElements }).parse();
    return article?.content ? { title: article.title ?? '', content: article.content } : undefined;
  } catch {
    return undefined;
  }
}
