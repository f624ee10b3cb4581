import { createInboxIndexes, createNotedEventIndexes, createOutboxIndexes } from '@fanfare/events';
import { createArchiveIndexes } from './archives/store/archives.ts';
import type { Migration } from '@fanfare/mongo';
import { createTestClockIndexes } from '@fanfare/test-clock';
import { createIntakeIndexes } from './intake/store/intakes.ts';
import { countStoredMedia } from './media/store/count-stored-media.ts';
import { addBlobRows } from './blobs/store/blob-rows.ts';
import { createGridFsIndexes } from './blobs/store/grid-fs.ts';
import { addCleanupRow } from './cleanup/store/cleanup-lease.ts';
import { createMediaMarkIndex } from './cleanup/store/deletion-marks.ts';
import { createBlobOrganizationIndex } from './erasure/store/erased-data.ts';
import { createDerivativeIndexes } from './derivatives/store/derivatives.ts';
import { createMediaIndexes, createMediaListIndexes } from './media/store/media.ts';
import { createReservationIndexes } from './media/store/reservations.ts';
import { createNodeIndexes } from './documents/store/nodes.ts';
import { renewNameKeys } from './documents/store/renew-name-keys.ts';
import { createTranscriptionIndexes } from './transcripts/store/transcriptions.ts';
import { createTusUploadIndexes } from './uploads/store/tus-uploads.ts';
import { createUploadIndexes } from './blobs/store/uploads.ts';

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
  { id: '0003-intakes', up: createIntakeIndexes },
  {
    id: '0004-media-lists-and-storage',
    async up(db) {
      await createMediaListIndexes(db);
      await countStoredMedia(db);
    },
  },
  { id: '0005-grid-fs', up: createGridFsIndexes },
  { id: '0006-reservations', up: createReservationIndexes },
  { id: '0007-nodes', up: createNodeIndexes },
  { id: '0008-blob-rows', up: addBlobRows },
  { id: '0009-derivatives', up: createDerivativeIndexes },
  { id: '0010-transcriptions', up: createTranscriptionIndexes },
  { id: '0011-tus-uploads', up: createTusUploadIndexes },
  { id: '0012-media-marks', up: createMediaMarkIndex },
  { id: '0013-name-keys', up: renewNameKeys },
  { id: '0014-cleanup-row', up: addCleanupRow },
  {
    id: '0015-test-clocks',
    async up(db) {
      await createTestClockIndexes(db);
      await createNotedEventIndexes(db);
    },
  },
  { id: '0016-blobs-of-organizations', up: createBlobOrganizationIndex },
  { id: '0017-archives', up: createArchiveIndexes },
];
