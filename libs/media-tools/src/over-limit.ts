import { MediaRefused } from './media-refused.ts';

/** ffmpeg ends by itself on a signal, without a word; the one of the processor's time is the only one that it is sent and may hear. */
const ENDED_BY_SIGNAL = 255;

interface Failed {
  readonly code?: number | string | null;
  readonly signal?: string | null;
  readonly stderr?: string;
}

/** A decoder that ran into one of its limits says something of the file; undefined for what is no such failure. */
export function overLimit(error: unknown): MediaRefused | undefined {
  const { code, signal, stderr = '' } = error as Failed;
  const isOutOfTime = signal === 'SIGXCPU' || (code === ENDED_BY_SIGNAL && stderr.trim() === '');
  const isOver = isOutOfTime || /Cannot allocate memory|Too many open files/.test(stderr);
  return isOver ? new MediaRefused('Decoding the video or audio takes more memory or time than is allowed for a file.', error) : undefined;
}
