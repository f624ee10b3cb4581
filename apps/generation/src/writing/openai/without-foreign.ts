const URL_LIKE =
  /\b(?:https?:\/\/|www\.)[^\s<>"')\]]+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|co|app|dev|info|biz|xyz|me|ly|gl|ru|cn|tk|top|site|online|link|click)(?:\/[^\s<>"')\]]*)?/giu;
const MENTION = /(?<![\p{L}\p{N}_.])@[\p{L}\p{N}_.]{2,}/gu;
const MARKDOWN_IMAGE = /!\[[^\]]*\]\([^)]*\)/g;
const MARKDOWN_LINK = /\[([^\]]*)\]\([^)]*\)/g;

/**
 * Removes links and mentions from a model's text that its source does not have, so that a prompt injection cannot send readers anywhere.
 * @param known the texts of the source and the business
 */
export function withoutForeign(text: string, known: readonly string[]): string {
  const all = known.join('\n').toLowerCase();
  const isKnown = (found: string) => all.includes(found.toLowerCase().replace(/[.,;:!?]+$/, ''));
  return text
    .replaceAll(MARKDOWN_IMAGE, '')
    .replaceAll(MARKDOWN_LINK, '$1')
    .replaceAll(URL_LIKE, (found) => (isKnown(found) ? found : ''))
    .replaceAll(MENTION, (found) => (isKnown(found) ? found : found.slice(1)))
    .replaceAll(/[^\S\n]{2,}/g, ' ')
    .replaceAll(/[^\S\n]+([.,;:!?])/g, '$1')
    .trim();
}
