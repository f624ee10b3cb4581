import { createInboxIndexes, createNotedEventIndexes, createOutboxIndexes } from '@fanfare/events';
import { createBusinessIndex, createLedgerIndexes } from '@fanfare/ledger';
import type { Migration } from '@fanfare/mongo';
import { createTestClockIndexes } from '@fanfare/test-clock';
import { completeBusinesses, createBusinessIndexes } from './businesses/store/businesses.ts';
import { createCategoryIndexes } from './categories/store/categories.ts';
import { createMediaImportIndexes } from './media/store/media-imports.ts';
import { designUpdateRows } from './designs/store/design-updates.ts';
import { mediaUpdateRows } from './media/store/media-updates.ts';
import { createCanaryPostExpiry } from './posts/store/canary-posts.ts';
import { createPostDesignIndex } from './posts/store/post-designs.ts';
import { foldWords, notePostKeys, noteSeriesKeys } from './posts/store/post-keys.ts';
import { createPostMediaIndex, noteMediaIds } from './posts/store/post-media.ts';
import { createPostRiskIndexes, forgetRisksOfClaimed } from './posts/store/post-risks.ts';
import { createAtRiskIndex, createPromisedPostIndex } from './quotas/store/promised-posts.ts';
import { createPostIndexes, noteFollowed, replacePostIndexes } from './posts/store/posts.ts';
import { createIntegrationIndexes, createSharedAccountIndex } from './targets/store/integrations.ts';
import { riskCheckRows } from './fan-out/store/risk-checks.ts';
import { createQueueBlockIndexes } from './queues/store/queue-blocks.ts';
import { createQueueIndexes } from './queues/store/queues.ts';
import { createTopicIndexes } from './topics/store/topics.ts';

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
  { id: '0002-business-profiles', up: completeBusinesses },
  {
    id: '0003-topics-and-categories',
    async up(db) {
      await createTopicIndexes(db);
      await createCategoryIndexes(db);
    },
  },
  { id: '0004-post-lists', up: replacePostIndexes },
  { id: '0005-followed-posts', up: noteFollowed },
  {
    id: '0006-media-of-posts',
    async up(db) {
      await mediaUpdateRows.createIndexes(db);
      await createPostMediaIndex(db);
      await noteMediaIds(db);
    },
  },
  { id: '0007-media-imports', up: createMediaImportIndexes },
  { id: '0008-post-keys', up: notePostKeys },
  { id: '0009-folded-words', up: foldWords },
  {
    id: '0010-designs-of-posts',
    async up(db) {
      await designUpdateRows.createIndexes(db);
      await createPostDesignIndex(db);
    },
  },
  { id: '0011-risk-checks', up: riskCheckRows.createIndexes },
  { id: '0012-series-keys', up: noteSeriesKeys },
  {
    id: '0013-posts-at-risk',
    async up(db) {
      await createPostRiskIndexes(db);
      await forgetRisksOfClaimed(db);
      await createPromisedPostIndex(db);
    },
  },
  {
    id: '0014-queues',
    async up(db) {
      await createQueueIndexes(db);
      await createQueueBlockIndexes(db);
    },
  },
  { id: '0015-timelines', up: createLedgerIndexes },
  {
    id: '0016-test-clocks',
    async up(db) {
      await createTestClockIndexes(db);
      await createNotedEventIndexes(db);
    },
  },
  { id: '0017-timelines-of-businesses', up: createBusinessIndex },
  { id: '0018-canary-posts', up: createCanaryPostExpiry },
  {
    id: '0019-promised-quotas',
    async up(db) {
      await createAtRiskIndex(db);
      await createSharedAccountIndex(db);
    },
  },
];
