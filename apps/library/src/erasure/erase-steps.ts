import { type Erased, type EraseStep } from '@fanfare/erasure';
import { deleteOutboxRowsOf } from '@fanfare/events';
import { deleteClockOf } from '@fanfare/test-clock';
import { dropArchives } from '../archives/drop-archives.ts';
import { findErasedArchives } from '../archives/store/archives.ts';
import { releaseBlob } from '../blobs/store/blob-rows.ts';
import { leaveToSweep } from '../blobs/store/uploads.ts';
import { sweepUploads } from '../blobs/sweep-uploads.ts';
import type { Context } from '../context.ts';
import { dropDerivatives } from '../derivatives/store/derivatives.ts';
import { giveBack } from '../storage/store/storage-usage.ts';
import { collectErased } from './collect-erased.ts';
import {
  deleteDerivative,
  deleteFolderTrees,
  deleteMedia,
  deleteNodes,
  deleteReservations,
  deleteStaged,
  deleteStorage,
  deleteTranscriptions,
  findDerivatives,
  findMedia,
  findStaged,
  STAGED,
} from './store/erased-data.ts';

/** Each media is a transaction. */
const MEDIA_TOGETHER = 50;

/**
 * Everything that the library stores of a business. Bytes are deleted at once, not a day later as usual, when no media of another business of the organization has
 * them too.
 */
export function eraseSteps(context: Context): Readonly<Record<string, EraseStep>> {
  const { db } = context;
  return {
    arriving: (erased, limit) => eraseArriving(context, erased, limit),
    archives: async (erased) => dropArchives(context, await findErasedArchives(db, erased, MEDIA_TOGETHER)),
    media: (erased) => eraseMedia(context, erased),
    derivatives: (erased) => eraseDerivatives(context, erased),
    transcriptions: (erased, limit) => deleteTranscriptions(db, erased, limit),
    reservations: (erased, limit) => deleteReservations(db, erased, limit),
    documents: (erased, limit) => eraseDocuments(context, erased, limit),
    folder_trees: (erased, limit) => deleteFolderTrees(db, erased, limit),
    blobs: (erased) => collectErased(context, erased),
    storage: (erased) => deleteStorage(db, erased),
    outbox: (erased) => deleteOutboxRowsOf(db, erased),
    test_clock: (erased) => deleteClockOf(db, erased),
  };
}

/** Uploads and imports that are in progress. Whoever writes their bytes fails, and the bytes are deleted. */
async function eraseArriving(context: Context, erased: Erased, limit: number): Promise<number> {
  let count = 0;
  for (const collection of STAGED) {
    for (const { _id, blobId } of await findStaged(context.db, collection, erased, limit)) {
      await context.transact(async (session) => {
        await deleteStaged(context.db, collection, _id, session);
        // In this transaction, so that a crash leaves no bytes.
        if (blobId !== undefined) await leaveToSweep(context.db, blobId, _id, session);
      });
      count++;
    }
  }
  if (count > 0) await sweepUploads(context, count);
  return count;
}

async function eraseMedia({ db, inTurn, transact }: Context, erased: Erased): Promise<number> {
  const found = await findMedia(db, erased, MEDIA_TOGETHER);
  for (const { _id, organization_id: organizationId } of found) {
    await inTurn(organizationId, () =>
      transact(async (session) => {
        const media = await deleteMedia(db, _id, session);
        await dropDerivatives(db, _id, session);
        // A deletion mark has released its blob.
        if (!media || media.deleted) return;
        await releaseBlob(db, { blobId: media.blob_id, organizationId, sizeBytes: media.size_bytes }, session);
        if (media.charged) await giveBack(db, session, organizationId, { bytes: media.size_bytes, files: 1 });
      }),
    );
  }
  return found.length;
}

/** Derivatives whose media were deleted before. */
async function eraseDerivatives({ db, transact }: Context, erased: Erased): Promise<number> {
  const found = await findDerivatives(db, erased, MEDIA_TOGETHER);
  for (const id of found) {
    await transact(async (session) => {
      const row = await deleteDerivative(db, id, session);
      if (row?.blob_id === undefined) return;
      await releaseBlob(db, { blobId: row.blob_id, organizationId: row.organization_id, sizeBytes: row.size_bytes ?? 0 }, session);
    });
  }
  return found.length;
}

async function eraseDocuments({ db, inTurn, transact }: Context, erased: Erased, limit: number): Promise<number> {
  const { organizationId } = erased;
  return inTurn(organizationId, () =>
    transact(async (session) => {
      const { count, bytes, files } = await deleteNodes(db, erased, limit, session);
      if (files > 0) await giveBack(db, session, organizationId, { bytes, files });
      return count;
    }),
  );
}
