/** Makes any text safe inside HTML text and double-quoted attributes. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A small page in the platform's name. `content` is HTML: the caller escapes untrusted text. */
export function htmlPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>
<link rel="stylesheet" href="/_control/sandbox.css"></head><body class="page"><main>${content}</main></body></html>`;
}

/** No scripts, nothing from other origins. Forms may go anywhere, because a consent form ends at the app's redirect URL. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
