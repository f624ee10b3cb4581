import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { leaseTranscription } from '../store/transcriptions.ts';
import { workOffTranscription } from './work-off-transcription.ts';

const IDLE_MS = 5_000;
/** The provider does the work; ours is to wait for it. */
const AT_A_TIME = 2;

/** Leases transcripts that are due and asks for them. Without a provider it never runs. Stopping breaks off what is under way and hands it back. */
export function startTranscriptLoop(context: Context): Loop {
  const { db, log } = context;
  const { speechToText } = context.config;
  if (speechToText === undefined) return { wake: () => undefined, problem: () => undefined, stop: async () => undefined };
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();

  const loop = startLoop({
    name: 'transcripts',
    log,
    async run() {
      while (!stopping.signal.aborted && inFlight.size < AT_A_TIME) {
        const leased = await leaseTranscription(db, speechToText.leaseMs);
        if (!leased) return IDLE_MS;
        const work = workOffTranscription(context, speechToText, leased, stopping.signal)
          .catch((error: unknown) => log.error({ err: error, media_id: leased._id }, 'transcript interrupted'))
          .finally(() => {
            inFlight.delete(work);
            loop.wake();
          });
        inFlight.add(work);
      }
      return IDLE_MS;
    },
  });

  return {
    ...loop,
    async stop() {
      stopping.abort(new Error('The process stops.'));
      await loop.stop();
      await Promise.all(inFlight);
    },
  };
}
