import type { CreateQueueRequest, Queue, UpdateQueueRequest } from '@fanfare/contracts/content/queues';
import { present, queueFromProto } from '@fanfare/resources';
import { z } from 'zod';
import { nonBlank, text } from '../../text/text.ts';
import { revisionOf } from '../common/revision-of.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { platformNames } from '../platforms/platform-name.ts';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** One for each hour of a week. */
const MAX_SLOTS = 168;

export const queueSlot = z
  .strictObject({
    days: z
      .array(z.enum(DAYS))
      .min(1)
      .max(7)
      .meta({ description: 'Days of the week.', example: ['mon', 'thu'] }),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59, such as 09:00')
      .meta({ description: "The local time in the queue's time zone.", example: '09:00' }),
  })
  .meta({ id: 'QueueSlot' });

/** A queue of posts. */
export const queue = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    business_id: z.uuid(),
    name: z.string(),
    slots: z.array(z.object({ days: z.array(z.string()), time: z.string() })).meta({
      description: 'The times at which the queue publishes, every week. Each slot publishes one post.',
      example: [{ days: ['mon', 'thu'], time: '09:00' }],
    }),
    timezone: z.string().meta({ example: 'Europe/Berlin' }),
    paused: z.boolean(),
    is_default: z.boolean().meta({
      description: 'Whether posts go into this queue if a request names no queue. Exactly one queue of a business is the default queue.',
    }),
    restrict_publish_to: z.array(z.string()).nullable().meta({
      description:
        'The platforms of posts that have no targets of their own, while they are in this queue; null: every connected platform. A post that leaves the queue keeps them as its own `restrict_publish_to`.',
    }),
    post_count: z.int().meta({ description: 'How many posts are in the queue.' }),
    next_publish_time: timestamp()
      .nullable()
      .meta({ description: 'When the first post of the queue will be published; null if the queue is paused or empty.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Queue' });

/** Slots in a week, counting each day and time. Not all of them may be valid. */
const timesOf = (slots: unknown): number =>
  (slots as ({ days?: unknown } | null)[]).reduce((sum, slot) => sum + (Array.isArray(slot?.days) ? slot.days.length : 1), 0);
const tooMany = (slots: unknown): string =>
  `must have at most ${MAX_SLOTS} slots in a week, counting each day and time; these are ${timesOf(slots)}`;

const fields = {
  name: nonBlank(100).meta({ example: 'Weekdays' }),
  slots: z
    .array(queueSlot)
    .min(1)
    .max(MAX_SLOTS, { error: ({ input }) => tooMany(input) })
    .superRefine((slots, { addIssue }) => {
      if (slots.length <= MAX_SLOTS && timesOf(slots) > MAX_SLOTS) addIssue({ code: 'custom', message: tooMany(slots) });
    })
    .meta({
      description: `The times at which the queue publishes, every week: at least one slot, and at most ${MAX_SLOTS}, counting each day and time. Where clocks are set forward from 02:00 to 03:00, a slot at 02:30 publishes at 03:30 on that day. A local time that occurs twice publishes the first time.`,
    }),
  timezone: text(100).nullish().meta({ description: 'IANA time zone; by default that of the business.', example: 'Europe/Berlin' }),
  paused: z.boolean().optional().meta({
    description:
      'Whether the queue is paused: a paused queue publishes nothing and keeps its posts. A slot that is missed by more than five minutes, for example because of an outage, is not made up for: its post is published at the next slot. A slot also publishes nothing if the post of an earlier slot has waited to be sent for more than five minutes, for example because of a rate limit.',
  }),
  is_default: z
    .boolean()
    .optional()
    .meta({ description: 'Whether this becomes the default queue of the business. The first queue of a business always is.' }),
  restrict_publish_to: platformNames().nullish().meta({
    description:
      'The platforms of posts that have no targets of their own, while they are in this queue. If missing or null, they are published on every connected platform. A post that leaves the queue keeps them as its own `restrict_publish_to`, unless the request sets targets.',
  }),
};

export const createQueueBody = z.strictObject(fields).meta({ id: 'CreateQueue' });

export const updateQueueBody = z
  .strictObject({
    ...fields,
    name: fields.name.optional(),
    slots: fields.slots.optional().meta({ description: 'Replaces all slots of the queue. The estimated times of its posts change.' }),
    timezone: fields.timezone.meta({ description: 'IANA time zone; null: that of the business.' }),
    is_default: fields.is_default.meta({
      description:
        'true makes this the default queue of the business, instead of the current one. false is not possible for the default queue.',
    }),
  })
  .meta({ id: 'UpdateQueue' });

export const toCreateQueueRequest = (
  body: z.output<typeof createQueueBody>,
  ids: { operationId: string; queueId: string },
): CreateQueueRequest => ({
  ...ids,
  name: body.name,
  slots: body.slots,
  timezone: body.timezone ?? undefined,
  paused: body.paused ?? false,
  isDefault: body.is_default ?? false,
  restrictPublishTo: body.restrict_publish_to ?? [],
});

export const toUpdateQueueRequest = (
  body: z.output<typeof updateQueueBody>,
  edit: { operationId: string; queueId: string; expectedRevisions: number[] },
): UpdateQueueRequest => ({
  ...edit,
  updateMask: Object.keys(body),
  name: body.name ?? '',
  slots: body.slots ?? [],
  timezone: body.timezone ?? undefined,
  paused: body.paused ?? false,
  isDefault: body.is_default ?? false,
  restrictPublishTo: body.restrict_publish_to ?? [],
});

/** A response with a single queue. Its posts and the default change without a new revision. */
export function queueResult(given: Queue | undefined) {
  const one = present(given);
  const { isDefault, postCount, nextPublishTime } = one;
  const location = `/api/businesses/${one.businessId}/queues/${one.id}`;
  return { body: queueFromProto(one), location, revision: one.revision, reading: revisionOf({ isDefault, postCount, nextPublishTime }) };
}
