import type { Lease } from '@fanfare/leased-work';
import { MediaRejected } from '@fanfare/media-tools';
import type { Context } from '../context.ts';
import { emitMediaChanged } from '../events.ts';
import { copyBlob } from '../blobs/copy-blob.ts';
import { transcriptEnded } from '../metrics.ts';
import { findSignedMedia, giveTranscript, type MediaDocument } from '../media/store/media.ts';
import { transcriptionRows, type TranscriptionDocument } from './store/transcriptions.ts';
import { SpeechRejected, speechToText, type SpeechToText } from './speech-to-text.ts';

const EXTRACT_TIMEOUT_MS = 10 * 60_000;

/** Requests a transcript and stores it, unless the media got one in the meantime. */
export async function processTranscription(context: Context, provider: SpeechToText, lease: Lease<TranscriptionDocument>): Promise<void> {
  transcriptEnded(await transcribe(context, provider, lease));
}

/** Ends a transcription without a transcript. The media stays unchanged. */
export async function giveUpTranscription({ db }: Context, { row, log }: Lease<TranscriptionDocument>, error: unknown): Promise<void> {
  transcriptEnded(error instanceof SpeechRejected || error instanceof MediaRejected ? 'rejected' : 'failed');
  log.warn({ err: error }, 'gave up making a transcript');
  await transcriptionRows.end(db, row);
}

async function transcribe(
  context: Context,
  provider: SpeechToText,
  { row, signal }: Lease<TranscriptionDocument>,
): Promise<'ready' | 'unneeded'> {
  const { db, spool } = context;
  const source = await findSignedMedia(db, row._id);
  if (!source || source.transcript) {
    await transcriptionRows.end(db, row);
    return 'unneeded';
  }
  const transcript = await spool.withFile(async (speech) => {
    await extract(context, source, speech, signal);
    return speechToText(provider, speech, signal);
  });
  return context.transact(async (session) => {
    await transcriptionRows.end(db, row, session);
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
