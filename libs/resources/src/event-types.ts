import type { VersionedResource } from './versions/version-change.ts';

/** A type of event. */
export interface EventType {
  /** The kind of resource in `data`. */
  readonly resource: Extract<
    VersionedResource,
    'post' | 'queue' | 'post_stats' | 'integration' | 'account_stats' | 'media' | 'job' | 'webhook'
  >;
  /** When it happens, for the API's documentation. */
  readonly description: string;
  /** There are many: they exist only for organizations with a webhook endpoint that names the type. Patterns do not select it. */
  readonly isOptIn?: true;
}

/** All types of events. The documentation, filters and checks are made from this table. */
export const EVENT_TYPES = {
  'post.created': {
    resource: 'post',
    description: 'A post was created by a request, by a generation job, or as the next one of a series.',
  },
  'post.updated': { resource: 'post', description: 'The content, targets, schedule or series of a post were edited.' },
  'post.deleted': { resource: 'post', description: 'A post was deleted. `data` is the post as it was.' },
  'post.scheduled': { resource: 'post', description: 'A post was scheduled, put into a queue, or moved to another time or position.' },
  'post.unscheduled': { resource: 'post', description: 'A post is no longer scheduled, and in no queue.' },
  'post.approved': { resource: 'post', description: 'A reviewer approved a post.' },
  'post.rejected': { resource: 'post', description: 'A reviewer rejected a post.' },
  'post.at_risk': {
    resource: 'post',
    description:
      'Publishing a scheduled post would fail, for a reason in `at_risk` that was not there before. It is sent once for each reason, until the reason ends.',
  },
  'post.published': { resource: 'post', description: 'A publication has ended, and all results of the post are `success`.' },
  'post.partially_published': {
    resource: 'post',
    description: 'A publication has ended, and results of the post are `success` and `failed`.',
  },
  'post.failed': {
    resource: 'post',
    description:
      'A publication has ended, and no result of the post is `success`; or nothing could be sent, for example because it was too late: `last_failure` says why.',
  },
  'post.unpublished': {
    resource: 'post',
    description:
      'Removing a post from its platforms has ended: no `removal` is pending any more. Each shows whether the post was removed from its target. Sent also if the post was deleted meanwhile.',
  },
  'queue.empty': {
    resource: 'queue',
    description:
      'A slot published the last post of a queue, or came after the queue had become empty. It is sent once, until the queue has posts again.',
  },
  'post.stats_milestone': {
    resource: 'post_stats',
    description: 'The statistics of a post on one account, 24 hours after it was published there. `revision` is its age in hours.',
    isOptIn: true,
  },
  'integration.connected': { resource: 'integration', description: 'An account was connected or reconnected.' },
  'integration.expiring': {
    resource: 'integration',
    description: 'The access of an account ends soon and cannot be renewed automatically.',
  },
  'integration.expired': { resource: 'integration', description: 'The access of an account has ended. A person must reconnect it.' },
  'integration.disconnected': { resource: 'integration', description: 'An account was disconnected.' },
  'account.stats': {
    resource: 'account_stats',
    description:
      'The statistics of a connected account for one day, when the platform has counted it. `revision` is the day, such as 20260805.',
    isOptIn: true,
  },
  'media.ready': { resource: 'media', description: 'A media file is stored and can be used.' },
  'media.failed': { resource: 'media', description: 'A media file could not be imported or stored.' },
  'job.completed': { resource: 'job', description: 'A generation job has created posts.' },
  'job.failed': { resource: 'job', description: 'A generation job created no post, or was cancelled.' },
  'webhook.test': { resource: 'webhook', description: 'You tested a webhook endpoint. Only that endpoint receives it.' },
  'webhook.disabled': {
    resource: 'webhook',
    description: 'Fanfare disabled a webhook endpoint, because it responded with 410 Gone or has failed for five days.',
  },
} as const satisfies Readonly<Record<string, EventType>>;

export type EventTypeName = keyof typeof EVENT_TYPES;

export const isOptIn = (name: EventTypeName): boolean => 'isOptIn' in EVENT_TYPES[name];

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventTypeName[];

/** Whether a pattern, such as `post.*` or `*`, fits a type. */
const fits = (pattern: string, name: EventTypeName): boolean =>
  pattern === '*' || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));

/**
 * The types that a pattern selects: a type, all types of a resource such as `post.*`, or all with `*`. Types that are opt-in must be named.
 * @returns empty for an unknown type
 */
export const typesMatching = (pattern: string): EventTypeName[] =>
  EVENT_TYPE_NAMES.filter((name) => pattern === name || (!isOptIn(name) && fits(pattern, name)));

/** The types that a pattern would select if they were not opt-in. */
export const optInTypesFitting = (pattern: string): EventTypeName[] =>
  EVENT_TYPE_NAMES.filter((name) => isOptIn(name) && fits(pattern, name));
