import { escape } from '../pages/html-page.ts';
import type { Mail } from './mailbox.ts';

const refreshSeconds = 5;

/** The inbox, newest first; reloads itself. */
export function inboxPage(mails: readonly Mail[]): string {
  const rows = mails.map(
    ({ id, subject, to, text, received_at }) => `<a class="mail" href="/_dev/mail/${id}">
<span class="line"><strong>${escape(subject || '(no subject)')}</strong><time datetime="${escape(received_at)}">${escape(shortTime(received_at))}</time></span>
<span class="to">${escape(to.join(', '))}</span><span class="gist">${escape(gist(text))}</span></a>`,
  );
  return page({
    title: 'Inbox',
    refresh: true,
    heading: 'Inbox',
    lead: `${mails.length} ${mails.length === 1 ? 'mail' : 'mails'}. All mail that Fanfare sends in development arrives here, whatever the address.`,
    main:
      rows.length > 0
        ? `<div class="mails">${rows.join('\n')}</div>`
        : '<p class="empty">No mail yet. This page reloads every few seconds.</p>',
  });
}

/** One mail. Its HTML is shown in a frame, where it cannot run or fetch anything. */
export function mailPage({ id, subject, from, to, text, html, received_at, headers }: Mail): string {
  const rendered = html
    ? `<iframe class="rendered" title="Rendered mail" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/_dev/mail/${id}/html"></iframe>`
    : '';
  const lines = Object.entries(headers).map(([name, value]) => `<tr><th>${escape(name)}</th><td>${escape(value)}</td></tr>`);
  return page({
    title: subject,
    refresh: false,
    heading: subject || '(no subject)',
    lead: `${from} → ${to.join(', ')} · ${shortTime(received_at)}`,
    main: `${rendered}
<details class="part" open><summary>Text</summary><pre>${linked(text)}</pre></details>
<details class="part"><summary>Headers</summary><table>${lines.join('')}</table></details>`,
  });
}

/** The content of the frame: links open outside it. */
export const framedHtml = (html: string) => `<!doctype html><base target="_blank">${html}`;

/** The mail's HTML runs no scripts, fetches nothing, sends no forms and has no origin, even when it is opened directly. */
export const framedHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

function page(part: { title: string; refresh: boolean; heading: string; lead: string; main: string }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${part.refresh ? `<meta http-equiv="refresh" content="${refreshSeconds}">` : ''}<title>${escape(part.title)}</title><link rel="stylesheet" href="/_control/sandbox.css"></head>
<body class="inbox"><header class="top"><h1>${escape(part.heading)}</h1><p>${escape(part.lead)}</p>
<nav>${part.refresh ? '' : '<a href="/_dev/mail">all mail</a> '}<a href="/">timeline</a> <a href="/_control/mails">as JSON</a></nav></header>
<main>${part.main}</main></body></html>`;
}

const gist = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 160);

/** Web addresses become links. */
const linked = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escape(part)}" rel="noreferrer noopener" target="_blank">${escape(part)}</a>` : escape(part),
    )
    .join('');

const shortTime = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
