import { backoffMs } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitMediaChanged } from '../events.ts';
import { holdLease } from '../hold-lease.ts';
import { copyBlob } from '../blobs/copy-blob.ts';
import { transcriptEnded, transcriptRetried } from '../metrics.ts';
import { MediaRefused } from '../media/domain/media-refused.ts';
import { findSignedMedia, giveTranscript, type MediaDocument } from '../media/store/media.ts';
import { endTranscription, postponeTranscription, renewTranscription, type TranscriptionDocument } from './store/transcriptions.ts';
import { SpeechRefused, speechToText, type SpeechToText } from './speech-to-text.ts';

/** About an hour in all. */
const MAX_ATTEMPTS = 12;
const MAX_PAUSE_MS = 10 * 60_000;
const EXTRACT_TIMEOUT_MS = 10 * 60_000;

/** Asks for the words of a media and keeps them, unless somebody gave some meanwhile. A media whose words cannot be had is as good as before. */
export async function workOffTranscription(
  context: Context,
  provider: SpeechToText,
  row: TranscriptionDocument,
  stop: AbortSignal,
): Promise<void> {
  const { db } = context;
  const log = context.log.child({ media_id: row._id, organization_id: row.organization_id });
  const { lost, release } = holdLease(() => renewTranscription(db, row, provider.leaseMs), provider.leaseMs, log);
  try {
    transcriptEnded(await transcribe(context, provider, row, AbortSignal.any([stop, lost])));
  } catch (error) {
    if (lost.aborted) return log.info('another process goes on with a transcript');
    if (stop.aborted) return await postponeTranscription(db, row, 0, false);
    const isRefused = error instanceof SpeechRefused || error instanceof MediaRefused;
    if (isRefused || row.attempts >= MAX_ATTEMPTS) {
      transcriptEnded(isRefused ? 'refused' : 'failed');
      log.warn({ err: error }, 'no transcript');
      await endTranscription(db, row);
      return;
    }
    transcriptRetried();
    const retryInMs = backoffMs(row.attempts - 1, provider.retryMs, MAX_PAUSE_MS);
    log.warn({ err: error, attempts: row.attempts, retry_in_ms: retryInMs }, 'transcript failed for now');
    await postponeTranscription(db, row, retryInMs, true);
  } finally {
    release();
  }
}

async function transcribe(
  context: Context,
  provider: SpeechToText,
  row: TranscriptionDocument,
  signal: AbortSignal,
): Promise<'ready' | 'unneeded'> {
  const { db, spool } = context;
  const source = await findSignedMedia(db, row._id);
  if (!source || source.transcript) {
    await endTranscription(db, row);
    return 'unneeded';
  }
  const transcript = await spool.withFile(async (speech) => {
    await extract(context, source, speech, signal);
    return speechToText(provider, speech, signal);
  });
  return context.transact(async (session) => {
    if (!(await endTranscription(db, row, session))) return 'unneeded';
    const document = await giveTranscript(db, row._id, transcript, session);
    if (document) await emitMediaChanged(context, session, document, 'MEDIA_CHANGE_UPDATED');
    return document ? 'ready' : 'unneeded';
  });
}

async function extract({ blobs, spool, workers }: Context, source: MediaDocument, speech: string, signal: AbortSignal): Promise<void> {
  await spool.withFile(async (file) => {
    await copyBlob(blobs, { blobId: source.blob_id, sizeBytes: source.size_bytes }, file, signal);
    const job = { kind: 'speech' as const, file, mimeType: source.mime_type, output: speech };
    await workers.background.run(job, { timeoutMs: EXTRACT_TIMEOUT_MS, signal });
  });
}
