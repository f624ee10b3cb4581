import { createInboxIndexes, createNotedEventIndexes, createOutboxIndexes } from '@fanfare/events';
import type { Migration } from '@fanfare/mongo';
import { createTestClockIndexes } from '@fanfare/test-clock';
import { createDesignIndexes } from './designs/store/designs.ts';
import { createJobIndexes } from './jobs/store/jobs.ts';
import { createUploadIndexes } from './media/store/uploads.ts';
import { createTemplateIndexes } from './templates/store/own-templates.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(db) {
      await createOutboxIndexes(db);
      await createInboxIndexes(db);
      await createJobIndexes(db);
      await createDesignIndexes(db);
      await createTemplateIndexes(db);
      await createUploadIndexes(db);
    },
  },
  {
    id: '0002-test-clocks',
    async up(db) {
      await createTestClockIndexes(db);
      await createNotedEventIndexes(db);
    },
  },
];
