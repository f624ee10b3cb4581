import type { z } from 'zod';
import type { testClock } from './test-clock.ts';

export const exampleTestClock: z.input<typeof testClock> = {
  now: '2026-08-27T09:30:00.000Z',
  status: 'ready',
  target: null,
  ahead_by_ms: 1_814_400_000,
};
