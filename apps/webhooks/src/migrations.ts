import { createInboxIndexes, createNotedEventIndexes, createOutboxIndexes } from '@fanfare/events';
import type { Migration } from '@fanfare/mongo';
import { createTestClockIndexes } from '@fanfare/test-clock';
import { createDeliveryIndexes } from './deliveries/store/deliveries.ts';
import { createEndpointIndexes } from './endpoints/store/endpoints.ts';
import { createEventIndexes } from './feed/store/events.ts';
import { createSnapshotIndexes, createSnapshotOwnerIndex, noteSnapshotOwners } from './feed/store/snapshots.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(db) {
      await createInboxIndexes(db);
      await createEventIndexes(db);
      await createSnapshotIndexes(db);
    },
  },
  {
    id: '0002-endpoints',
    async up(db) {
      await createOutboxIndexes(db);
      await createEndpointIndexes(db);
      await createDeliveryIndexes(db);
    },
  },
  {
    id: '0003-test-clocks',
    async up(db) {
      await createTestClockIndexes(db);
      await createNotedEventIndexes(db);
    },
  },
  {
    id: '0004-owners-of-snapshots',
    async up(db) {
      await createSnapshotOwnerIndex(db);
      await noteSnapshotOwners(db);
    },
  },
];
