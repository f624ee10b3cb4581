import { LeaseLost, type Lease } from '@fanfare/leased-work';
import type { ClientSession } from 'mongodb';
import { MediaRejected } from '@fanfare/media-tools';
import type { Context } from '../context.ts';
import { copyBlob } from '../blobs/copy-blob.ts';
import { storeBytes } from '../blobs/store-bytes.ts';
import { derivativeEnded, derivativeTook } from '../metrics.ts';
import { referToBlob } from '../blobs/store/blob-rows.ts';
import { failDerivative, findReadyTwin, finishDerivative, type Content, type DerivativeDocument } from './store/derivatives.ts';
import { findSignedMedia, nameDerivative, type MediaDocument } from '../media/store/media.ts';
import type { Made } from './make.ts';

/** For images. For videos, their length times `TIMES_ITS_LENGTH` is added, which is enough on a busy machine. */
const TIMEOUT_MS = 5 * 60_000;
const TIMES_ITS_LENGTH = 8;

/** Makes and stores a derivative. If this fails at any point, another process can start over when the lease has expired. */
export async function processDerivative(context: Context, lease: Lease<DerivativeDocument>): Promise<void> {
  const { row, signal } = lease;
  const took = derivativeTook();
  const source = await findSignedMedia(context.db, row.media_id);
  // The media was deleted, and its derivatives with it.
  if (!source) throw new LeaseLost(row._id);
  if (!(await reuseTwin(context, row))) await makeIt(context, row, source, signal);
  derivativeEnded('ready');
  took();
}

/** Marks a derivative as failed: the file cannot be converted, or there were too many attempts. */
export async function giveUpDerivative({ db }: Context, { row, log }: Lease<DerivativeDocument>, error: unknown): Promise<void> {
  if (error instanceof MediaRejected) {
    derivativeEnded('rejected');
    log.info({ err: error }, 'could not make a derivative');
    return failDerivative(db, row, { code: 'invalid_value', detail: error.message });
  }
  derivativeEnded('failed');
  log.error({ err: error }, 'gave up making a derivative');
  await failDerivative(db, row, { code: 'internal_error', detail: 'Something went wrong on our side.' });
}

/** Reuses a derivative of another media of the organization with the same bytes and the same recipe, if there is one. */
async function reuseTwin(context: Context, row: DerivativeDocument): Promise<boolean> {
  const { db, transact } = context;
  const twin = await findReadyTwin(db, row);
  if (!twin) return false;
  const { blob_id, mime_type, size_bytes, width, height, sha256, duration_ms } = twin;
  const content = { blob_id, mime_type, size_bytes, width, height, sha256, ...(duration_ms !== undefined && { duration_ms }) };
  return transact(async (session) => {
    if (!(await referToBlob(db, blob_id, session))) return false;
    await keep(context, row, content, undefined, session);
    return true;
  });
}

async function makeIt(context: Context, row: DerivativeDocument, source: MediaDocument, signal: AbortSignal): Promise<void> {
  const { blobs, spool, workers } = context;
  await spool.withFile((file) =>
    spool.withFile(async (output) => {
      await copyBlob(blobs, { blobId: source.blob_id, sizeBytes: source.size_bytes }, file, signal);
      const timeoutMs = TIMEOUT_MS + TIMES_ITS_LENGTH * (source.duration_ms ?? 0);
      const order = { recipe: row.recipe, source: describe(source), file, output };
      const made = await workers.background.run({ kind: 'make', order }, { timeoutMs, signal });
      const bytes = { organizationId: row.organization_id, file: output, forId: row._id };
      await storeBytes(context, bytes, (session, { blobId, sha256, sizeBytes }) =>
        keep(context, row, { blob_id: blobId, sha256, size_bytes: sizeBytes, ...contentOf(made) }, made.placeholder, session),
      );
    }),
  );
}

/** Only what a worker needs. */
function describe({ type, mime_type, width, height, duration_ms, facts }: MediaDocument) {
  return { type, mime_type, width, height, ...(duration_ms !== undefined && { duration_ms }), ...(facts && { facts }) };
}

const contentOf = ({ mimeType, width, height, durationMs }: Made) => ({
  mime_type: mimeType,
  width,
  height,
  ...(durationMs !== undefined && { duration_ms: durationMs }),
});

/** @throws LeaseLost if another process has the lease, or the media was deleted */
async function keep(
  { db }: Context,
  row: DerivativeDocument,
  content: Content,
  placeholder: string | undefined,
  session: ClientSession,
): Promise<void> {
  await finishDerivative(db, row, content, session);
  if (row.becomes && !(await nameDerivative(db, row.media_id, row.becomes, row._id, placeholder, session))) throw new LeaseLost(row._id);
}
