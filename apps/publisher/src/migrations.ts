import { createInboxIndexes, createNotedEventIndexes, createOutboxIndexes } from '@fanfare/events';
import { createBusinessIndex, createLedgerIndexes } from '@fanfare/ledger';
import type { Migration } from '@fanfare/mongo';
import { createTestClockIndexes } from '@fanfare/test-clock';
import { createQuotaIndexes } from './quotas/store/quotas.ts';
import { createConnectionAttemptIndexes } from './accounts/store/connection-attempts.ts';
import { createConnectionIndexes } from './accounts/store/connections.ts';
import { createAccountIndexes, dropPublicationIndex } from './deliveries/store/deliveries.ts';
import { createDueIndex } from './deliveries/store/due-deliveries.ts';
import { createPostIndex } from './deliveries/store/inspected-deliveries.ts';
import { createEndedRemovalIndex, createRemovalIndexes, createRemovalPostIndex } from './removals/store/removals.ts';
import { createPublicationIndexes } from './strategies/store/publications.ts';
import { createListIndexes } from './deliveries/store/listed-deliveries.ts';
import { createIntegrationIndexes } from './accounts/store/integrations.ts';
import { createPlatformUserIndexes } from './meta/store/platform-users.ts';
import { createRevocationIndexes } from './accounts/store/revocations.ts';
import { createClockedTokenCheckIndex, createTokenCheckIndexes, planOldTokens } from './accounts/store/token-checks.ts';
import { createRemovalBusinessIndex } from './erasure/store/erased-data.ts';
import { createRestoreFences } from './restore/store/restore-fence.ts';
import { createRestoredIndexes } from './restore/store/restored-deliveries.ts';
import { createWakeIndexes } from './deliveries/store/wake-deliveries.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(db) {
      await createOutboxIndexes(db);
      await createInboxIndexes(db);
      await createIntegrationIndexes(db);
      await createConnectionIndexes(db);
    },
  },
  { id: '0002-delivery-accounts', up: createAccountIndexes },
  {
    id: '0003-connected-accounts',
    async up(db) {
      await createConnectionAttemptIndexes(db);
      await createTokenCheckIndexes(db);
      await createRevocationIndexes(db);
      await planOldTokens(db);
    },
  },
  { id: '0004-platform-users', up: createPlatformUserIndexes },
  { id: '0005-budgets', up: createQuotaIndexes },
  { id: '0006-waking', up: createWakeIndexes },
  { id: '0007-due', up: createDueIndex },
  { id: '0008-deliveries-by-post', up: createPostIndex },
  { id: '0009-listed-deliveries', up: createListIndexes },
  { id: '0010-restored-deliveries', up: createRestoredIndexes },
  { id: '0011-removals', up: createRemovalIndexes },
  { id: '0012-timelines', up: createLedgerIndexes },
  {
    id: '0013-publications',
    async up(db) {
      await createPublicationIndexes(db);
      await createEndedRemovalIndex(db);
    },
  },
  {
    id: '0014-test-clocks',
    async up(db) {
      await createTestClockIndexes(db);
      await createNotedEventIndexes(db);
      await createClockedTokenCheckIndex(db);
    },
  },
  {
    id: '0015-erasing',
    async up(db) {
      await createRemovalBusinessIndex(db);
      await createBusinessIndex(db);
    },
  },
  { id: '0016-timelines-of-removals', up: createRemovalPostIndex },
  { id: '0017-unused-index', up: dropPublicationIndex },
  { id: '0018-restore-fences', up: createRestoreFences },
];
