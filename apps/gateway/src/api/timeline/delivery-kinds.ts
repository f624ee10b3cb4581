import { z } from 'zod';
import { because, kind, text, time, type Kind } from './kind.ts';

const WAITS: Readonly<Record<string, string>> = {
  rate_limited: 'for the limit of the platform',
  retry: 'before it retries',
  confirming: 'before it checks whether the post was published',
  held: 'because publishing is paused',
  others: 'for the other accounts',
  removing: 'until it is removed again, because another account failed',
  processing: 'while the platform processes the post',
  media: 'for the media',
};

const LOOKS: Readonly<Record<string, string>> = {
  found: 'the post is there',
  not_found: 'the post was not found',
  not_published: 'the platform says that it was not published',
  published: 'the platform says that it was published',
  unreadable: 'the platform could not be read',
  not_possible: 'the platform does not let apps read these posts, so it is unknown whether the post is there',
};

/** What the publisher records: the way of the post to one account. */
export const deliveryKinds = {
  delivery_requested: kind({
    description: 'The request to publish the post to this account was accepted.',
    details: { publication_id: z.string(), due_at: time('When the delivery was due.') },
    summary: (_, where) => `The delivery to ${where} was accepted.`,
    example: { publication_id: '0197f3ab-0001-7f50-a162-738495a6bc1b', due_at: '2026-08-07T07:00:00.000Z' },
  }),
  delivery_begun: kind({
    description: 'The delivery of the post to this account has begun.',
    details: {},
    summary: (_, where) => `The delivery to ${where} has begun.`,
    example: {},
  }),
  attempt: kind({
    description: 'Fanfare begins the call that makes the post public. This entry is stored before the first byte of the call is sent.',
    details: {
      attempt: z
        .int()
        .meta({ description: 'The number of this call, if the call that makes the post public is repeated: 1 for the first one.' }),
      deadline_at: time('Fanfare sends no part of the call after this time.'),
    },
    summary: ({ attempt }, where) => `Attempt ${attempt} to publish on ${where} begins.`,
    example: { attempt: 1, deadline_at: '2026-08-07T07:01:00.000Z' },
  }),
  step: kind({
    description: 'A call to the platform, with a summary of its response.',
    details: {
      step: text('The name of the call.').meta({ example: 'upload_photo' }),
      step_kind: z.enum(['prepare', 'commit', 'follow_up']).meta({
        description:
          '`prepare`: a call before the post is public, such as an upload; it can be repeated. `commit`: the call that makes the post public. `follow_up`: a call after that, such as the first comment.',
      }),
      outcome: text(
        '`ok`: the call succeeded. `lost`: the response was lost, so it is unknown whether the platform has processed the call. `given_up`: the outcome is unknown, and the call is not retried. Any other value is the kind of the failure.',
      ).meta({ example: 'ok' }),
      message: z.string().nullable().meta({ description: "The platform's message, without secrets." }),
    },
    summary: ({ step, outcome, message }, where) =>
      outcome === 'ok' ? `${where}: ${step} succeeded.` : `${where}: ${step} failed (${outcome})${because(message)}`,
    example: { step: 'upload_photo', step_kind: 'prepare', outcome: 'ok', message: null },
  }),
  waiting: kind({
    description: 'The delivery is waiting.',
    details: {
      reason: text(
        'What the delivery waits for. `rate_limited`: a rate limit of the platform. `retry`: the next attempt after a failure. `confirming`: the check whether the post was published. `held`: an operator of this service, who has paused publishing. `processing`: the platform, which processes the post. `media`: the conversion of media. `others`: the other accounts of the post. `removing`: the removal of the post, because another account failed.',
      ).meta({ example: 'rate_limited' }),
      until: time('When the wait ends; null if that is unknown.').nullable(),
      message: z.string().nullable(),
    },
    summary: ({ reason, until, message }, where) =>
      `The delivery to ${where} waits ${WAITS[reason] ?? ''}${until === null ? '' : `, until ${until}`}${because(message)}`,
    example: { reason: 'rate_limited', until: '2026-08-07T07:05:00.000Z', message: 'Application request limit reached' },
  }),
  token_refreshed: kind({
    description: "The account's access token was refreshed, or could not be.",
    details: { succeeded: z.boolean(), message: z.string().nullable() },
    summary: ({ succeeded, message }, where) =>
      succeeded ? `The access to ${where} was refreshed.` : `The access to ${where} could not be refreshed${because(message)}`,
    example: { succeeded: true, message: null },
  }),
  looked_up: kind({
    description:
      'The response to the call that makes the post public was lost. Fanfare has read the platform to find out whether the post is there.',
    details: {
      finding: text(
        '`found`: the post is on the platform. `not_found`: the post was not found. `not_published`: the platform says that the post was not published. `published`: the platform says that the post was published, but it is unknown which post it is. `unreadable`: the platform could not be read. `not_possible`: the platform does not let apps read these posts.',
      ).meta({
        example: 'found',
      }),
      candidates: z.int().meta({ description: 'How many posts on the platform could be this one.' }),
      message: z.string().nullable(),
    },
    summary: ({ finding, message }, where) => `Fanfare checked ${where}: ${LOOKS[finding] ?? finding}${because(message)}`,
    example: { finding: 'found', candidates: 1, message: null },
  }),
  handed_over: kind({
    description: 'The server process that carried out the delivery is stopping. Another one continues it.',
    details: {},
    summary: (_, where) => `A Fanfare server is restarting; another one continues the delivery to ${where}.`,
    example: {},
  }),
  taken_over: kind({
    description: 'The server process that carried out the delivery has stopped responding. Another one has taken over the delivery.',
    details: {
      leases_lost: z
        .int()
        .meta({ description: 'How many server processes have stopped responding during this delivery since the last entry.' }),
    },
    summary: (_, where) => `A Fanfare server has stopped responding; another one continues the delivery to ${where}.`,
    example: { leases_lost: 1 },
  }),
  released: kind({
    description:
      'An operator of this service has taken the delivery from the server process that carried it out, so that another one continues.',
    details: {},
    summary: (_, where) => `An operator of this service has moved the delivery to ${where} to another Fanfare server.`,
    example: {},
  }),
  retried: kind({
    description: 'The delivery waited, and an operator of this service has ended the wait.',
    details: {},
    summary: (_, where) => `The operator of this service has ended the wait of the delivery to ${where}.`,
    example: {},
  }),
  restored: kind({
    description:
      'This service was restored from a backup. Before Fanfare sends anything, it reads the platform to find out whether the post was published after the backup was made.',
    details: { backup_at: time('When the backup was made.') },
    summary: ({ backup_at }, where) =>
      `This service was restored from a backup of ${backup_at}. Fanfare checks whether the post was published on ${where} since.`,
    example: { backup_at: '2026-08-07T06:00:00.000Z' },
  }),
  published: kind({
    description: 'The post is on the platform.',
    details: {
      publish_id: z.string().nullable().meta({ description: "The platform's id of the post; null if it is unknown." }),
      post_url: z.string().nullable(),
      published_at: time('When it was published.'),
      warnings: z.array(z.string()),
    },
    summary: ({ post_url }, where) => `The post is published on ${where}${post_url === null ? '.' : `: ${post_url}`}`,
    example: {
      publish_id: '17895695668004550',
      post_url: 'https://www.facebook.com/17895695668004550',
      published_at: '2026-08-07T07:00:04.000Z',
      warnings: [],
    },
  }),
  removal_attempt: kind({
    description: 'A call to the platform that deletes the published post.',
    details: {
      outcome: text('`ok`: the platform says that the post no longer exists. Any other value is the kind of the failure.').meta({
        example: 'ok',
      }),
      message: z.string().nullable().meta({ description: "The platform's message, without secrets." }),
    },
    summary: ({ outcome, message }, where) =>
      outcome === 'ok' ? `${where} has deleted the post.` : `${where}: deleting the post failed (${outcome})${because(message)}`,
    example: { outcome: 'ok', message: null },
  }),
  removal_waiting: kind({
    description: 'The removal of the published post is waiting.',
    details: {
      reason: text(
        'What the removal waits for. `rate_limited`: a rate limit of the platform. `retry`: the next attempt after a failure. `held`: an operator of this service, who has paused publishing.',
      ).meta({ example: 'rate_limited' }),
      until: time('When the wait ends; null if that is unknown.').nullable(),
    },
    summary: ({ reason, until }, where) =>
      `The removal from ${where} waits ${WAITS[reason] ?? ''}${until === null ? '' : `, until ${until}`}.`,
    example: { reason: 'rate_limited', until: '2026-08-07T07:05:00.000Z' },
  }),
  removal_failed: kind({
    description: 'The removal has failed and is not retried: the platform has the post, or may have it.',
    details: {
      error_type: text('The same values as `error_type` in `publish_results`.').meta({ example: 'permission_denied' }),
      message: z.string(),
    },
    summary: ({ message }, where) => `The post was not removed from ${where}: ${message}`,
    example: { error_type: 'permission_denied', message: 'This account is no longer connected.' },
  }),
  failed: kind({
    description:
      'The delivery has failed and is not retried. If `error_type` is `unknown_outcome`, it is unknown whether the platform has the post.',
    details: {
      error_type: text('The same values as `error_type` in `publish_results`.').meta({ example: 'validation_failed' }),
      error_message: z.string(),
    },
    summary: ({ error_message }, where) => `The delivery to ${where} has failed: ${error_message}`,
    example: { error_type: 'validation_failed', error_message: 'The image is too large.' },
  }),
} satisfies Record<string, Kind>;
