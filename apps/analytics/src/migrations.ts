import { createInboxIndexes, createNotedEventIndexes, createOutboxIndexes } from '@fanfare/events';
import type { Migration } from '@fanfare/mongo';
import { createTestClockIndexes } from '@fanfare/test-clock';
import { createAccountMonthIndexes } from './accounts/store/account-months.ts';
import { createAccountIndexes, createOwnerIndex } from './accounts/store/accounts.ts';
import { createReadIndexes } from './live/store/reads.ts';
import { createPostIndexes } from './posts/store/posts.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(db) {
      await createOutboxIndexes(db);
      await createInboxIndexes(db);
      await createAccountIndexes(db);
      await createAccountMonthIndexes(db);
      await createPostIndexes(db);
      await createReadIndexes(db);
    },
  },
  {
    id: '0002-test-clocks',
    async up(db) {
      await createTestClockIndexes(db);
      await createNotedEventIndexes(db);
      await createOwnerIndex(db);
    },
  },
];
