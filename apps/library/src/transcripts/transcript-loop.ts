import { startLeasedLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { leaseTranscription, type TranscriptionDocument } from './store/transcriptions.ts';
import { workOffTranscription } from './work-off-transcription.ts';

const IDLE_MS = 5_000;
/** The provider does the work; ours is to wait for it. */
const AT_A_TIME = 2;

/** Leases transcripts that are due and asks for them. Without a provider it never runs. Stopping breaks off what is under way and hands it back. */
export function startTranscriptLoop(context: Context): Loop {
  const { db, log } = context;
  const { speechToText } = context.config;
  if (speechToText === undefined) return { wake: () => undefined, problem: () => undefined, stop: async () => undefined };

  return startLeasedLoop<TranscriptionDocument>({
    name: 'transcripts',
    log,
    size: AT_A_TIME,
    idleMs: IDLE_MS,
    lease: async () => (await leaseTranscription(db, speechToText.leaseMs)) ?? IDLE_MS,
    work: (leased, stop) =>
      workOffTranscription(context, speechToText, leased, stop).catch((error: unknown) =>
        log.error({ err: error, media_id: leased._id }, 'transcript interrupted'),
      ),
  });
}
