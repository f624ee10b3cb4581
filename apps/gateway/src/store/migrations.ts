import type { Migration } from '@fanfare/mongo';
import { createApiKeyIndexes } from './api-keys.ts';
import { seedDefaultPlan } from './plans.ts';
import { createUserIndexes } from './users.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(db) {
      await createApiKeyIndexes(db);
      await createUserIndexes(db);
    },
  },
  { id: '0002-default-plan', up: seedDefaultPlan },
];
