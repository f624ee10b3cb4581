import { escapeHtml } from '../../text/escape-html.ts';
import type { MailContent, MailItem } from './templates/template.ts';

interface Urls {
  readonly consoleUrl: string;
  readonly unsubscribeUrl?: string;
}

export function layOutText(
  { paragraphs, items = [], afterItems = '', button, footnote }: MailContent,
  { consoleUrl, unsubscribeUrl }: Urls,
): string {
  const listed = items.map(({ title, lines, path }) =>
    [`* ${title}`, ...lines.map((line) => `  ${line}`), `  ${consoleUrl}${path}`].join('\n'),
  );
  const after = afterItems === '' ? [] : [afterItems];
  const link = button ? [`${button.label}:\n${consoleUrl}${button.path}`] : [];
  const stop = unsubscribeUrl === undefined ? '' : `\nStop these emails:\n${unsubscribeUrl}`;
  return `${[...paragraphs, ...listed, ...after, ...link, `--\n${footnote}${stop}`].join('\n\n')}\n`;
}

/** Styles are in the elements, and nothing is fetched: mail programs remove style sheets and do not load images. */
export function layOutHtml(
  { subject, paragraphs, items = [], afterItems = '', button, footnote }: MailContent,
  { consoleUrl, unsubscribeUrl }: Urls,
): string {
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`;
  const listed = items.map((item) => layOutItem(item, consoleUrl));
  const text = [...paragraphs.map(paragraph), ...listed, ...(afterItems === '' ? [] : [paragraph(afterItems)])].join('\n');
  const url = button && escapeHtml(consoleUrl + button.path);
  const link = button
    ? `<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:#3559e0;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#667085;word-break:break-all">Or open this address: <a href="${url}" style="color:#3559e0">${url}</a></p>`
    : '';
  const stop = unsubscribeUrl === undefined ? '' : ` <a href="${escapeHtml(unsubscribeUrl)}" style="color:#667085">Stop these emails</a>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f3f4f7;color:#1c2230;font:15px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e3e6ec;border-radius:14px">
<p style="margin:0 0 24px;font-size:17px;font-weight:700">Fanfare</p>
${text}
${link}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #e3e6ec;font-size:13px;color:#667085">${escapeHtml(footnote)}${stop}</p>
</div></body></html>
`;
}

function layOutItem({ title, lines, path }: MailItem, consoleUrl: string): string {
  const url = escapeHtml(consoleUrl + path);
  const said = lines.map((line) => `<p style="margin:0 0 6px;overflow-wrap:anywhere">${escapeHtml(line)}</p>`).join('\n');
  return `<div style="margin:0 0 16px;padding:12px 16px;border:1px solid #e3e6ec;border-radius:8px">
<p style="margin:0 0 6px;font-weight:600;overflow-wrap:anywhere"><a href="${url}" style="color:#3559e0;text-decoration:none">${escapeHtml(title)}</a></p>
${said}
</div>`;
}
