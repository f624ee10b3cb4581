import { createInboxIndexes, createOutboxIndexes } from '@fanfare/events';
import type { Migration } from '@fanfare/mongo';
import { createMediaIndexes } from './media.ts';
import { createUploadIndexes } from './uploads.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(db) {
      await createMediaIndexes(db);
      await createUploadIndexes(db);
    },
  },
  {
    id: '0002-events',
    async up(db) {
      await createOutboxIndexes(db);
      await createInboxIndexes(db);
    },
  },
];
