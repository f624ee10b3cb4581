import { startWorker, type Worker } from '@fanfare/leased-work';
import { MediaRejected } from '@fanfare/media-tools';
import type { Context } from '../context.ts';
import { transcriptRetried } from '../metrics.ts';
import { SpeechRejected } from './speech-to-text.ts';
import { transcriptionRows, type TranscriptionDocument } from './store/transcriptions.ts';
import { giveUpTranscription, processTranscription } from './process-transcription.ts';

const IDLE_MS = 5_000;
/** Independent of the number of cores, because the provider does the work. */
const AT_A_TIME = 2;
/** About an hour in total. */
const ATTEMPTS = 12;
const MAX_DELAY_MS = 10 * 60_000;

const isRejected = (error: unknown): boolean => error instanceof SpeechRejected || error instanceof MediaRejected;

/** Makes transcripts that are due. Does nothing without a provider. When it stops, it aborts running work and returns its leases. */
export function startTranscriptLoop(context: Context): Worker {
  const { db, log } = context;
  const { speechToText } = context.config;
  if (speechToText === undefined) return { wake: () => undefined, problem: () => undefined, stop: async () => undefined };

  return startWorker<TranscriptionDocument>({
    name: 'transcripts',
    db,
    log,
    rows: transcriptionRows,
    size: AT_A_TIME,
    leaseMs: speechToText.leaseMs,
    idleMs: IDLE_MS,
    idsOf: ({ _id, organization_id }) => ({ media_id: _id, organization_id }),
    work: (lease) => processTranscription(context, speechToText, lease),
    retry: {
      attempts: ATTEMPTS,
      firstDelayMs: speechToText.retryMs,
      maxDelayMs: MAX_DELAY_MS,
      passes: (error) => !isRejected(error),
      onRetry: transcriptRetried,
      giveUp: (lease, error) => giveUpTranscription(context, lease, error),
    },
  });
}
