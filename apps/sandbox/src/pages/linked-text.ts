import { escape } from './html-page.ts';

/** Link targets in a text, by name without the sign; absent ones stay plain text. */
interface TextLinks {
  hashtag?: (tag: string) => string;
  mention?: (username: string) => string;
  /** Whether URLs are links; some platforms show them as plain text. */
  addresses: boolean;
  /** Mentioned people by full name, with their URLs. */
  names?: ReadonlyMap<string, string>;
}

const word =
  /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])|(?<![\p{L}\p{N}_/&])#([\p{L}\p{N}_]+)|(?<![\p{L}\p{N}_./@])@([\p{L}\p{N}_.-]*[\p{L}\p{N}_])/gu;

/** A post's text as HTML, with hashtags, mentions and URLs as links. Everything is escaped. */
export function linkedText(text: string, links: TextLinks): string {
  const names = [...(links.names ?? [])].filter(([name]) => name !== '');
  return piece(text, names, links);
}

function piece(text: string, names: readonly (readonly [name: string, href: string])[], links: TextLinks): string {
  const [first, ...rest] = names;
  if (!first) return marked(text, links);
  const [name, href] = first;
  return text
    .split(name)
    .map((part) => piece(part, rest, links))
    .join(outwardLink(href, name));
}

function marked(text: string, { hashtag, mention, addresses }: TextLinks): string {
  let html = '';
  let at = 0;
  for (const { index, 0: whole, 1: address, 2: tag, 3: username } of text.matchAll(word)) {
    const href =
      address !== undefined
        ? addresses && address
        : tag !== undefined
          ? hashtag?.(encodeURIComponent(tag))
          : mention?.(encodeURIComponent(username ?? ''));
    html += escape(text.slice(at, index)) + (href ? outwardLink(href, whole) : escape(whole));
    at = index + whole.length;
  }
  return html + escape(text.slice(at));
}

/** An external link without referrer; plain text if it is not a web URL. */
export function outwardLink(href: string, text: string, className?: string): string {
  const named = className === undefined ? '' : ` class="${className}"`;
  return /^https?:\/\//i.test(href)
    ? `<a${named} href="${escape(href)}" rel="noreferrer noopener">${escape(text)}</a>`
    : `<span${named}>${escape(text)}</span>`;
}
