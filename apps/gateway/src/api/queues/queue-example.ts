import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { queue } from './queue.ts';
import type { slotSuggestion } from './slot-suggestion.ts';

/** For the OpenAPI description. */
export const exampleQueue: z.input<typeof queue> = {
  id: EXAMPLE_IDS.queue_id,
  business_id: EXAMPLE_IDS.business_id,
  name: 'Weekdays',
  slots: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], time: '09:00' }],
  timezone: 'Europe/Berlin',
  paused: false,
  is_default: true,
  restrict_publish_to: null,
  post_count: 12,
  next_publish_time: '2030-08-07T07:00:00.000Z',
  created_at: '2026-08-04T10:00:00.000Z',
  updated_at: '2026-08-04T10:00:00.000Z',
};

export const exampleSuggestion: z.input<typeof slotSuggestion> = {
  timezone: 'Europe/Berlin',
  is_enough: true,
  posts: 84,
  least_posts: 20,
  slots: [
    { days: ['tue', 'thu'], time: '09:00' },
    { days: ['sun'], time: '18:00' },
  ],
};
