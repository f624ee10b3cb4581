import { backoffMs } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { holdLease } from '../hold-lease.ts';
import { copyBlob } from '../blobs/copy-blob.ts';
import { storeBytes } from '../blobs/store-bytes.ts';
import { derivativeEnded, derivativeRetried, derivativeTook } from '../metrics.ts';
import { MediaRefused } from '../media/domain/media-refused.ts';
import { referToBlob } from '../blobs/store/blob-rows.ts';
import {
  failDerivative,
  findReadyTwin,
  finishDerivative,
  postponeDerivative,
  renewDerivative,
  type Content,
  type DerivativeDocument,
} from './store/derivatives.ts';
import { findSignedMedia, nameDerivative, type MediaDocument } from '../media/store/media.ts';
import type { Made } from './make.ts';

const MAX_ATTEMPTS = 3;
const MAX_PAUSE_MS = 60_000;
/** Of an image; a video takes as much longer as it lasts, on a machine that has hardly any time for it. */
const TIMEOUT_MS = 5 * 60_000;
const TIMES_ITS_LENGTH = 8;

/** Somebody else has it by now, or its media is gone. */
class DerivativeLost extends Error {
  override readonly name = 'DerivativeLost';
}

/** Makes a derivative and keeps it, or writes down why not. Whatever happens in here, another process can begin anew when the lease is over. */
export async function workOffDerivative(context: Context, row: DerivativeDocument, stop: AbortSignal): Promise<void> {
  const { config, db } = context;
  const log = context.log.child({ derivative_id: row._id, media_id: row.media_id, organization_id: row.organization_id });
  const { leaseMs } = config.workers;
  const { lost, release } = holdLease(() => renewDerivative(db, row, leaseMs), leaseMs, log);
  const took = derivativeTook();
  try {
    if (row.attempts > MAX_ATTEMPTS) throw new Error('Those who tried it died.');
    const source = await findSignedMedia(db, row.media_id);
    if (!source) throw new DerivativeLost();
    if (!(await takeTwin(context, row))) await makeIt(context, row, source, AbortSignal.any([stop, lost]));
    derivativeEnded('ready');
    took();
  } catch (error) {
    if (error instanceof DerivativeLost || lost.aborted)
      return log.info('the media of a derivative is gone, or another process goes on with it');
    if (stop.aborted) return await postponeDerivative(db, row, 0, false);
    await giveUpOrRetry(error);
  } finally {
    release();
  }

  async function giveUpOrRetry(error: unknown): Promise<void> {
    if (error instanceof MediaRefused) {
      derivativeEnded('refused');
      log.info({ err: error }, 'derivative cannot be made');
      return failDerivative(db, row, { code: 'invalid_value', detail: error.message });
    }
    if (row.attempts >= MAX_ATTEMPTS) {
      derivativeEnded('failed');
      log.error({ err: error }, 'derivative given up');
      return failDerivative(db, row, { code: 'internal_error', detail: 'Something failed on our side.' });
    }
    derivativeRetried();
    const retryInMs = backoffMs(row.attempts - 1, config.workers.retryMs, MAX_PAUSE_MS);
    log.warn({ err: error, attempts: row.attempts, retry_in_ms: retryInMs }, 'derivative failed for now');
    return postponeDerivative(db, row, retryInMs, true);
  }
}

/** The organization may have the same bytes in another media, and this of it already. */
async function takeTwin(context: Context, row: DerivativeDocument): Promise<boolean> {
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

/** What a worker has to know of it, and no more. */
function describe({ type, mime_type, width, height, duration_ms, facts }: MediaDocument) {
  return { type, mime_type, width, height, ...(duration_ms !== undefined && { duration_ms }), ...(facts && { facts }) };
}

const contentOf = ({ mimeType, width, height, durationMs }: Made) => ({
  mime_type: mimeType,
  width,
  height,
  ...(durationMs !== undefined && { duration_ms: durationMs }),
});

/** @throws DerivativeLost when nothing of it may be kept */
async function keep(
  { db }: Context,
  row: DerivativeDocument,
  content: Content,
  placeholder: string | undefined,
  session: ClientSession,
): Promise<void> {
  if (!(await finishDerivative(db, row, content, session))) throw new DerivativeLost();
  if (row.becomes && !(await nameDerivative(db, row.media_id, row.becomes, row._id, placeholder, session))) throw new DerivativeLost();
}
