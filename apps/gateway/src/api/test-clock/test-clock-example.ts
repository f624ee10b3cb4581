import type { z } from 'zod';
import type { testClock } from './test-clock.ts';

export const exampleTestClock: z.input<typeof testClock> = {
  now: '2026-08-27T09:30:00.000Z',
  status: 'ready',
  target: null,
  advancing_from: null,
  advancing_since: null,
  ahead_by_ms: 1_814_400_000,
};

export const exampleAdvance: z.input<typeof testClock> = {
  ...exampleTestClock,
  status: 'advancing',
  target: '2026-09-03T09:30:00.000Z',
  advancing_from: '2026-08-27T09:30:00.000Z',
  advancing_since: '2026-08-06T09:30:00.000Z',
};
