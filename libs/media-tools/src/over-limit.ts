import { MediaRejected } from './media-rejected.ts';

/** The exit code of ffmpeg after a signal that it handles. The only such signal that it is sent is SIGXCPU, for its CPU time. */
const ENDED_BY_SIGNAL = 255;

interface Failed {
  readonly code?: number | string | null;
  readonly signal?: string | null;
  readonly stderr?: string;
}

/** Converts the error of a decoder that exceeded one of its limits; returns undefined for other errors. */
export function overLimit(error: unknown): MediaRejected | undefined {
  const { code, signal, stderr = '' } = error as Failed;
  const isOutOfTime = signal === 'SIGXCPU' || (code === ENDED_BY_SIGNAL && stderr.trim() === '');
  const isOver = isOutOfTime || /Cannot allocate memory|Too many open files/.test(stderr);
  return isOver ? new MediaRejected('Decoding the video or audio takes more memory or time than is allowed for a file.', error) : undefined;
}
