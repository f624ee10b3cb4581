import { platformLabel } from '@fanfare/connectors/platform';
import type { eventFromProto } from '@fanfare/resources';

export type EventBody = ReturnType<typeof eventFromProto>;

/** An event in words. The texts come from callers and platforms, and are not escaped. */
export interface Message {
  /** What has happened. */
  readonly title: string;
  readonly url?: string | undefined;
  readonly lines: readonly string[];
}

const MAX_CAPTION = 140;
const MAX_REASON = 300;
const MAX_LINES = 12;

/** An event for the people in a channel. */
export function messageOf({ type, data }: EventBody): Message {
  if (type === 'post.stats_milestone') return ofStatistics('Post after 24 hours', (data as unknown as PostStats).results);
  if (type === 'account.stats')
    return ofStatistics(`Account on ${(data as unknown as AccountStats).end_date}`, [data as unknown as AccountStats]);
  const kind = type.split('.')[0];
  if (kind === 'post') return ofPost(type, data as unknown as Post);
  const { platform, display_name, reconnect_url, last_error, error, file_name, url, disabled_reason, name } = data as unknown as Named;
  if (kind === 'integration')
    return {
      title: `${platformLabel(platform ?? '')} account ${display_name ?? ''}: ${type.replace('integration.', '')}`,
      ...(reconnect_url && { url: reconnect_url }),
      lines: [last_error].flatMap(reason),
    };
  if (kind === 'queue') return { title: `Queue ${name ?? ''} is empty`, lines: [] };
  if (type === 'webhook.disabled') return { title: `Webhook endpoint ${url ?? ''} was disabled`, lines: [inWords(disabled_reason)] };
  if (type === 'webhook.test') return { title: 'This is a test: the webhook works', lines: [] };
  return { title: [titleOf(type), file_name].filter(Boolean).join(' '), lines: [error].flatMap(reason) };
}

interface Post {
  readonly caption: string;
  readonly url: string;
  readonly publish_results: readonly {
    readonly platform: string;
    readonly status: string;
    readonly error_message: string | null;
    /** Absent in events of older versions. */
    readonly removal?: { readonly status: string; readonly detail: string | null } | null;
  }[];
  readonly last_failure: { readonly detail: string } | null;
  readonly review_note: string | null;
  readonly at_risk?: readonly { readonly platform: string | null; readonly detail: string }[] | null;
}

interface PostStats {
  readonly results: readonly { readonly platform: string; readonly stats: Readonly<Record<string, unknown>> | null }[];
}

interface AccountStats {
  readonly platform: string;
  readonly end_date: string;
}

/** The numbers that are known. */
function ofStatistics(
  title: string,
  all: readonly { readonly platform: string; readonly stats?: Readonly<Record<string, unknown>> | null }[],
): Message {
  const lines = all.map(({ platform, stats, ...own }) => {
    const numbers = Object.entries(stats ?? own).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    return `${platformLabel(platform)}: ${numbers.map(([name, value]) => `${value} ${name.replaceAll('_', ' ')}`).join(', ') || 'nothing is known yet'}.`;
  });
  return { title, lines };
}

interface Named {
  readonly platform?: string;
  readonly display_name?: string;
  readonly reconnect_url?: string | null;
  readonly last_error?: string | null;
  readonly error?: string | null;
  readonly file_name?: string | null;
  readonly url?: string;
  readonly name?: string;
  readonly disabled_reason?: string | null;
}

function ofPost(type: string, post: Post): Message {
  const lines = [
    ...(post.caption === '' ? [] : [`“${short(post.caption, MAX_CAPTION)}”`]),
    ...(type === 'post.unpublished' ? ofRemovals(post) : ofResults(type, post)),
    ...(type === 'post.at_risk'
      ? (post.at_risk ?? []).map(({ platform, detail }) =>
          short([platform && `${platformLabel(platform)}:`, detail].filter(Boolean).join(' '), MAX_REASON),
        )
      : []),
    ...(type === 'post.rejected' ? [post.review_note].flatMap(reason) : []),
  ];
  return { title: titleOf(type), url: post.url, lines: lines.slice(0, MAX_LINES) };
}

function ofResults(type: string, { publish_results: results, last_failure }: Post): string[] {
  const published = results.filter(({ status }) => status === 'success').map(({ platform }) => platformLabel(platform));
  const failures = results.filter(({ status }) => status === 'failed');
  return [
    ...(published.length > 0 ? [`Published to ${[...new Set(published)].join(', ')}.`] : []),
    ...failures.map(({ platform, error_message }) => `${platformLabel(platform)} failed: ${short(error_message ?? '', MAX_REASON)}`),
    ...(type === 'post.failed' && failures.length === 0 ? [last_failure?.detail].flatMap(reason) : []),
  ];
}

function ofRemovals({ publish_results: results }: Post): string[] {
  const removed = results.filter(({ removal }) => removal?.status === 'removed').map(({ platform }) => platformLabel(platform));
  const left = results.flatMap(({ platform, removal }) =>
    removal && removal.status !== 'removed'
      ? [`Not removed from ${platformLabel(platform)}: ${short(removal.detail ?? '', MAX_REASON)}`]
      : [],
  );
  return [...(removed.length > 0 ? [`Removed from ${[...new Set(removed)].join(', ')}.`] : []), ...left];
}

/** `post.partially_published` → Post partially published. */
const titleOf = (type: string): string => {
  const text = type.replace(/[._]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const inWords = (because: string | null | undefined): string =>
  because === 'gone' ? 'It responded with 410 Gone.' : 'It has failed for five days.';

const reason = (text: string | null | undefined): string[] => (text ? [short(text, MAX_REASON)] : []);

function short(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line.slice(0, max * 2 + 2)];
  return characters.length <= max && line.length <= max * 2 ? line : `${characters.slice(0, max - 1).join('')}…`;
}
