import type { Migration } from '@fanfare/mongo';
import { accountMigrations } from './accounts/index.ts';
import { createConnectionStarterIndexes } from './api/integrations/store/connection-starters.ts';
import { createAllFeedbackIndex, createFeedbackIndexes } from './api/feedback/store/feedback.ts';
import { createTestClockIndexes } from '@fanfare/test-clock';
import { deadLetterMigrations } from './dead-letters/index.ts';
import { httpMigrations } from './http/store/migrations.ts';
import { createClockIndexes } from './test-clock/store/test-clocks.ts';

const apiMigrations: readonly Migration[] = [
  { id: '0006-feedback-indexes', up: createFeedbackIndexes },
  { id: '0030-connection-starters', up: createConnectionStarterIndexes },
  { id: '0031-feedback-of-all', up: createAllFeedbackIndex },
  {
    id: '0033-test-clocks',
    async up(db) {
      await createTestClockIndexes(db);
      await createClockIndexes(db);
    },
  },
];

/** Of all slices, in the order of their numbers. */
export const migrations: readonly Migration[] = [
  ...accountMigrations,
  ...httpMigrations,
  ...apiMigrations,
  ...deadLetterMigrations,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));
