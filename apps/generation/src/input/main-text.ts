import { articleOf, parseHtml, type HtmlElement } from './html-document.ts';
import { scanHtml } from './scan-html.ts';

interface PageText {
  readonly title: string;
  /** Paragraphs separated by empty lines. */
  readonly text: string;
  /** The language that the page declares. */
  readonly language: string | undefined;
  /** Whether the page has a password field. */
  readonly isLogin: boolean;
}

const MAX_HTML = 2_000_000;
/** Beyond these limits, the time to build a document grows faster than the page. */
const MAX_ELEMENTS = 30_000;
const MAX_DEPTH = 200;
/** With fewer characters it is hardly an article: the whole page is used. */
const LEAST_ARTICLE = 250;

/** The main text of a page, without menus and notices. */
export function mainText(html: string): PageText {
  const cut = html.slice(0, MAX_HTML);
  const scanned = scanHtml(cut);
  if (scanned.elements > MAX_ELEMENTS || scanned.depth > MAX_DEPTH)
    return { title: '', text: oneLine(scanned.text), language: undefined, isLogin: false };
  const document = parseHtml(cut);
  for (const hidden of document.querySelectorAll('script,style,noscript,template,svg,iframe,[hidden],[aria-hidden="true"]'))
    hidden.remove();
  const language = document.documentElement?.getAttribute('lang') || undefined;
  const isLogin = document.querySelector('input[type="password"]') !== null;
  const about = document.querySelector('meta[name="description"],meta[property="og:description"]')?.getAttribute('content') ?? '';
  const heading = document.title || document.querySelector('h1')?.textContent || '';
  // The blocks first, because Readability changes the document.
  const whole = blocksOf(document.body ?? document.documentElement);
  const article = articleOf(document, MAX_ELEMENTS);
  const content = article ? blocksOf(parseHtml(`<body>${article.content}</body>`).body) : '';
  const text = content.length >= LEAST_ARTICLE ? content : [about, whole].filter((part) => part !== '').join('\n\n');
  return { title: oneLine(article?.title || heading), text, language, isLogin };
}

const BLOCKS = 'p,h1,h2,h3,h4,li,blockquote,td,dd,figcaption,pre';

/** The text of the blocks, each once; all text if there are no blocks. */
function blocksOf(root: HtmlElement | null): string {
  if (!root) return '';
  const blocks = [...root.querySelectorAll(BLOCKS)].filter((block) => block.querySelector(BLOCKS) === null);
  const texts = blocks.map(({ textContent }) => oneLine(textContent ?? '')).filter((text) => text !== '');
  return [...new Set(texts.length > 0 ? texts : [oneLine(root.textContent ?? '')])].join('\n\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
