import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { z } from 'zod';
import type { TestClockDocument } from '../../test-clock/store/test-clocks.ts';
import { organizationId } from '../common/organization-id.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp, timestampInput } from '../common/timestamp.ts';
import { durationInput, endOf } from './duration.ts';

export const testClock = z
  .object({
    self: selfLink(),
    now: timestamp().meta({ description: 'The current time of the organization.' }),
    status: z.string().meta({
      description: '`ready`, or `advancing` while everything that is due until `target` is being done, such as publishing scheduled posts.',
      example: 'ready',
    }),
    target: timestamp().nullable().meta({
      description:
        'The time to which the clock is being advanced. After a stop, the time at which it was stopped. null while `status` is `ready`.',
    }),
    advancing_from: timestamp().nullable().meta({
      description:
        'The time of the organization when the advance began; null while `status` is `ready`. During the advance, `now` moves from this time to `target`.',
    }),
    advancing_since: timestamp().nullable().meta({
      description:
        'When the advance was requested, in real time, which no test clock changes. Use it to estimate how long the rest will take. null while `status` is `ready`.',
    }),
    ahead_by_ms: z.int().meta({ description: 'How far the clock is ahead of real time, in milliseconds. 0 if it was never advanced.' }),
  })
  .meta({ id: 'TestClock' });

/** The longest way of one advance. */
const MOST_YEARS = 2;

export const advanceBody = z
  .strictObject({
    organization_id: organizationId(),
    advance_to: timestampInput()
      .optional()
      .meta({
        description: `The time to which the clock is advanced: after the current time of the organization, by at most ${MOST_YEARS} years.`,
      }),
    advance_by: durationInput()
      .optional()
      .meta({
        description: `How far the clock is advanced: an ISO 8601 duration of at most ${MOST_YEARS} years, such as P30D. Months and years are calendar months and years in UTC.`,
      }),
  })
  .meta({ id: 'AdvanceTestClock' });

export const stopBody = z.strictObject({ organization_id: organizationId() }).meta({ id: 'StopTestClock' });

/**
 * Where the clock is to be advanced to, and the field that says so.
 * @throws DomainError missing_field, invalid_request, invalid_value
 */
export function targetOf(
  { advance_to: to, advance_by: by }: Pick<z.output<typeof advanceBody>, 'advance_to' | 'advance_by'>,
  at: Date,
): { readonly target: Date; readonly param: 'advance_to' | 'advance_by' } {
  if (to && by) throw new DomainError('invalid_request', 'Send either advance_to or advance_by, not both.', { param: 'advance_by' });
  const [target, param] = to ? [to, 'advance_to' as const] : [by && endOf(at, by), 'advance_by' as const];
  if (!target) throw new DomainError('missing_field', 'Send advance_to, a time, or advance_by, a duration.', { param: 'advance_to' });
  if (target <= at) {
    const needed = to ? `after the current time of the organization, ${at.toISOString()}` : 'longer than zero';
    const detail = `A test clock only moves forward: ${param} must be ${needed}.`;
    throw new DomainError('invalid_value', detail, { param });
  }
  // A time that is too far away for a date is not a number.
  if (!(target <= endOf(at, { months: 12 * MOST_YEARS, ms: 0 }))) {
    throw new DomainError('invalid_value', `A test clock can be advanced by at most ${MOST_YEARS} years at a time.`, { param });
  }
  return { target, param };
}

/** @param clock null if it was never advanced */
export function testClockFromStore(id: string, clock: TestClockDocument | null) {
  return {
    now: now(id).toISOString(),
    status: clock?.target_at ? 'advancing' : 'ready',
    target: clock?.target_at?.toISOString() ?? null,
    advancing_from: clock?.from_at?.toISOString() ?? null,
    advancing_since: clock?.requested_at?.toISOString() ?? null,
    ahead_by_ms: clock?.ahead_ms ?? 0,
  };
}
