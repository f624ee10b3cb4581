import { messageOf, type EventBody } from './message.ts';

/**
 * The body for an incoming webhook of Slack. Texts of callers and platforms cannot mention people or channels, or contain links of their own.
 * Source: https://docs.slack.dev/messaging/formatting-message-text
 */
export function slackBody(event: EventBody): string {
  const { title, url, lines } = messageOf(event);
  const heading = url ? `*<${escape(url)}|${escape(title)}>*` : `*${escape(title)}*`;
  return JSON.stringify({ text: [heading, ...lines.map(escape)].join('\n'), unfurl_links: false, unfurl_media: false });
}

/** Slack's three control characters, and those of its markup, each followed by an invisible character that ends the markup. */
const escape = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[|]/g, '/')
    .replace(/[*_~`]/g, '$&\u200b');
