import { createInboxIndexes, createOutboxIndexes } from '@fanfare/events';
import type { Migration } from '@fanfare/mongo';
import { createAccountDayIndexes } from './accounts/store/account-days.ts';
import { createAccountIndexes } from './accounts/store/accounts.ts';
import { createReadIndexes } from './live/store/reads.ts';
import { createPostIndexes } from './posts/store/posts.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(db) {
      await createOutboxIndexes(db);
      await createInboxIndexes(db);
      await createAccountIndexes(db);
      await createAccountDayIndexes(db);
      await createPostIndexes(db);
      await createReadIndexes(db);
    },
  },
];
