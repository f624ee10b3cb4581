import { messageOf, type EventBody } from './message.ts';

/** Discord's limit of a message, in characters. */
const MAX_CONTENT = 2_000;

/**
 * The body for a webhook of Discord. Texts of callers and platforms mention nobody (`allowed_mentions`), and contain no markup.
 * Source: https://docs.discord.com/developers/resources/webhook#execute-webhook
 */
export function discordBody(event: EventBody): string {
  const { title, url, lines } = messageOf(event);
  const text = [`**${escape(title)}**`, ...lines.map(escape), ...(url ? [`<${url}>`] : [])].join('\n');
  return JSON.stringify({ content: [...text].slice(0, MAX_CONTENT).join(''), allowed_mentions: { parse: [] } });
}

const escape = (text: string): string => text.replace(/[\\*_~`|>#[\]()<-]/g, '\\$&').replace(/:\/\//g, ':\u200b//');
