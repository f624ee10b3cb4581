import type { CreateQueueRequest, QueueSlot, UpdateQueueRequest } from '@fanfare/contracts/content/queues';
import { DomainError } from '@fanfare/errors';
import { isTimeZone } from '../../series/time-zone.ts';
import type { QueueDocument } from '../queue.ts';
import { DAYS, minutesOf } from '../slot-times.ts';

/** One for each hour of a week. */
const MAX_SLOT_TIMES = 168;

type QueueFields = Pick<QueueDocument, 'name' | 'slots' | 'timezone' | 'paused' | 'restrict_publish_to'>;

/**
 * @param timezone that of the business
 * @throws DomainError missing_field, invalid_value
 */
export function newQueueFields(request: CreateQueueRequest, timezone: string): QueueFields {
  const fields = {
    name: request.name,
    slots: request.slots,
    timezone: request.timezone ?? timezone,
    paused: request.paused,
    restrict_publish_to: request.restrictPublishTo,
  };
  checkFields(fields);
  return fields;
}

/** How each field that can be updated is read from a request. */
const FIELDS: Readonly<Record<string, (request: UpdateQueueRequest, timezone: string) => Partial<QueueFields>>> = {
  name: ({ name }) => ({ name }),
  slots: ({ slots }) => ({ slots }),
  timezone: ({ timezone }, ofBusiness) => ({ timezone: timezone ?? ofBusiness }),
  paused: ({ paused }) => ({ paused }),
  restrict_publish_to: ({ restrictPublishTo }) => ({ restrict_publish_to: restrictPublishTo }),
  // Stored for all queues of the business together.
  is_default: () => ({}),
};

/**
 * The fields that an update changes.
 * @throws DomainError invalid_request if there is none; missing_field, invalid_value
 */
export function changedQueueFields(request: UpdateQueueRequest, timezone: string): Partial<QueueFields> {
  const names = request.updateMask ?? [];
  if (names.length === 0) throw new DomainError('invalid_request', 'Provide at least one field to update.');
  const unknown = names.find((name) => !Object.hasOwn(FIELDS, name));
  if (unknown !== undefined)
    throw new DomainError('invalid_request', `${unknown} is not a field of a queue that can be updated.`, { param: unknown });
  const fields = names.reduce<Partial<QueueFields>>((all, name) => ({ ...all, ...FIELDS[name]?.(request, timezone) }), {});
  checkFields(fields);
  return fields;
}

function checkFields({ name, slots, timezone }: Partial<QueueFields>): void {
  if (name?.trim() === '') throw new DomainError('missing_field', 'A queue must have a name.', { param: 'name' });
  if (slots) checkSlots(slots);
  if (timezone !== undefined && !isTimeZone(timezone)) {
    throw new DomainError('invalid_value', 'timezone must be an IANA time zone, such as Europe/Berlin.', { param: 'timezone' });
  }
}

function checkSlots(slots: readonly QueueSlot[]): void {
  if (slots.length === 0) throw invalid('slots', 'A queue must have at least one slot.');
  const seen = new Set<string>();
  for (const [index, { days, time }] of slots.entries()) {
    if (Number.isNaN(minutesOf(time))) throw invalid(`slots.${index}.time`, 'must be a local time from 00:00 to 23:59, such as 09:00.');
    if (days.length === 0) throw invalid(`slots.${index}.days`, 'A slot must have at least one day.');
    for (const [at, day] of days.entries()) {
      if (!(DAYS as readonly string[]).includes(day)) throw invalid(`slots.${index}.days.${at}`, `must be one of ${DAYS.join(', ')}.`);
      const slot = `${day} ${time}`;
      if (seen.has(slot)) throw invalid(`slots.${index}.days.${at}`, `The queue has this slot twice: ${slot}.`);
      seen.add(slot);
    }
  }
  if (seen.size > MAX_SLOT_TIMES) {
    throw invalid(
      'slots',
      `A queue can have at most ${MAX_SLOT_TIMES} slots in a week, one for each day and time; these are ${seen.size}.`,
    );
  }
}

const invalid = (param: string, detail: string) =>
  new DomainError('invalid_value', detail.startsWith('must') ? `${param} ${detail}` : detail, { param });
