import { createInboxIndexes, createOutboxIndexes } from '@fanfare/events';
import type { Migration } from '@fanfare/mongo';
import { createBusinessIndexes } from './businesses.ts';
import { createIntegrationIndexes } from './integrations.ts';
import { createPostIndexes } from './posts.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(db) {
      await createOutboxIndexes(db);
      await createInboxIndexes(db);
      await createBusinessIndexes(db);
      await createPostIndexes(db);
      await createIntegrationIndexes(db);
    },
  },
];
