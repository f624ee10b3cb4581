import { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import { because, counted, errorType, kind, text, time, type Kind } from './kind.ts';

const status = () => text('The status of the post afterwards.').meta({ example: 'SCHEDULED' });
const fields = () => z.array(z.string()).meta({ description: 'The names of the changed fields.', example: ['caption', 'media_ids'] });
const scheduledTime = () => time('The new publish time.').nullable();

const targets = z
  .array(
    z.object({
      platform: z.string(),
      integration_id: z.string().nullish().meta({ description: 'Absent for a platform without a connected account.' }),
      delivery_id: z.string().nullish().meta({ description: 'The delivery to this account; absent if nothing is sent to it.' }),
      error_type: z.string().nullish().meta({ description: 'Why nothing is sent to it.' }),
      error_message: z.string().nullish(),
    }),
  )
  .meta({ description: 'The accounts to which the post is sent, and those to which it cannot be sent.' });

const publication = { publication_id: z.string(), due_at: time('When the publication was due.').nullable(), targets };
const examplePublication = {
  publication_id: '0197f3ab-0001-7f50-a162-738495a6bc1b',
  due_at: '2026-08-07T07:00:00.000Z',
  targets: [{ platform: 'facebook', integration_id: EXAMPLE_IDS.integration_id, delivery_id: EXAMPLE_IDS.delivery_id }],
};

/** What content records: what happens to the post as a whole. */
export const postKinds = {
  created: kind({
    description: 'The post was created, by a request or as the next one of its series.',
    details: { status: status(), scheduled_publish_time: scheduledTime(), series_id: z.string().nullable() },
    summary: ({ status, scheduled_publish_time: at, series_id }) =>
      `The post was created${series_id === null ? '' : ' as the next one of its series'}, with status ${status}${at === null ? '' : `, for ${at}`}.`,
    example: { status: 'SCHEDULED', scheduled_publish_time: '2026-08-07T07:00:00.000Z', series_id: null },
  }),
  edited: kind({
    description: 'Fields of the post were changed.',
    details: { fields: fields() },
    summary: ({ fields }) => (fields.length === 0 ? 'The post was saved without a change.' : `Changed: ${fields.join(', ')}.`),
    example: { fields: ['caption'] },
  }),
  media_updated: kind({
    description:
      'Fanfare updated media or texts of the post, because media in the library, its design or its series have changed. Nobody edited the post.',
    details: { fields: fields() },
    summary: ({ fields }) => `Fanfare updated ${fields.join(', ')}, because what the post uses has changed.`,
    example: { fields: ['media_ids'] },
  }),
  reviewed: kind({
    description: 'The post was approved or rejected.',
    details: { decision: z.enum(['approve', 'reject']), note: z.string().nullable() },
    summary: ({ decision, note }) => `The post was ${decision === 'approve' ? 'approved' : 'rejected'}${because(note)}`,
    example: { decision: 'reject', note: 'Which bread?' },
  }),
  scheduled: kind({
    description: 'The post was scheduled, or moved to another time.',
    details: {
      scheduled_publish_time: scheduledTime(),
      previous_time: time('The publish time before the change; null if the post was not scheduled.').nullable(),
      fields: fields().nullable().meta({ description: 'The names of other fields that were changed at the same time.' }),
    },
    summary: ({ scheduled_publish_time: at, previous_time: before }) =>
      before === null ? `The post was scheduled for ${at}.` : `The post was moved from ${before} to ${at}.`,
    example: { scheduled_publish_time: '2026-08-07T07:00:00.000Z', previous_time: null, fields: null },
  }),
  queued: kind({
    description: 'The post was put into a queue, or moved within it.',
    details: { queue_id: z.string() },
    summary: () => 'The post was put into a queue, or moved within it.',
    example: { queue_id: '0197f3ab-0002-7f50-a162-738495a6bc1b' },
  }),
  unscheduled: kind({
    description: 'The post was unscheduled.',
    details: { status: status() },
    summary: ({ status }) => `The post was unscheduled, and has status ${status} again.`,
    example: { status: 'DRAFT' },
  }),
  deleted: kind({
    description: 'The post was deleted from Fanfare. Posts that are already on the platforms stay there.',
    details: {},
    summary: () => 'The post was deleted.',
    example: {},
  }),
  at_risk: kind({
    description: '`at_risk` of the scheduled post has new entries: reasons why publishing it would fail.',
    details: { codes: z.array(z.string()).meta({ description: 'The `code` of each new entry in `at_risk`.' }) },
    summary: ({ codes }) => `The post is at risk: ${codes.join(', ')}.`,
    example: { codes: ['caption_max_length'] },
  }),
  claimed: kind({
    description:
      'Publishing has begun, with the content that the post has at this moment. The post is delivered to each account separately.',
    details: {
      ...publication,
      confirmed_not_published: z.boolean().nullable().meta({
        description: 'Whether the caller confirmed that accounts whose result was `unknown_outcome` do not have the post.',
      }),
    },
    summary: ({ targets, confirmed_not_published: confirmed }) =>
      `Publishing to ${counted(targets.filter(({ delivery_id: id }) => id).length, 'account')} has begun${confirmed === true ? ': the caller confirmed that the post is not there' : ''}.`,
    example: { ...examplePublication, confirmed_not_published: null },
  }),
  not_sent: kind({
    description: 'The post was due, but could not be sent to any account.',
    details: { ...publication, error_type: errorType(), error_message: z.string().nullable() },
    summary: ({ error_type, error_message, targets }) =>
      error_type === 'too_late' && error_message !== null
        ? error_message
        : `The post was due, but could not be sent${because(error_message ?? targets.find((target) => target.error_message !== null)?.error_message ?? null)}`,
    example: { ...examplePublication, targets: [], error_type: 'permission_denied', error_message: 'No account is connected.' },
  }),
  removal_requested: kind({
    description: 'The removal of the published post from a platform was requested.',
    details: {},
    summary: (_, where) => `The post is to be removed from ${where}.`,
    example: {},
  }),
  removal_ended: kind({
    description: 'The post was removed from a platform, or could not be.',
    details: {
      status: z.enum(['removed', 'failed', 'not_supported']),
      error_type: errorType(),
      error_message: z.string().nullable(),
    },
    summary: ({ status, error_message }, where) =>
      status === 'removed' ? `The post was removed from ${where}.` : `The post could not be removed from ${where}${because(error_message)}`,
    example: { status: 'removed', error_type: null, error_message: null },
  }),
  publication_ended: kind({
    description: 'Publishing has ended: there is a final result for every account.',
    details: { status: status(), succeeded: z.int(), failed: z.int() },
    summary: ({ succeeded, failed }) => `Publishing has ended: ${succeeded} succeeded, ${failed} failed.`,
    example: { status: 'PUBLISHED', succeeded: 1, failed: 0 },
  }),
} satisfies Record<string, Kind>;
