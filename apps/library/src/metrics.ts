import { counter, gauge, histogram } from '@fanfare/runtime';

export function mediaStored(type: 'image' | 'video' | 'audio', source: 'upload' | 'url'): void {
  counter('fanfare_library_media_stored_total', 'Media stored.', ['type', 'source']).inc({ type, source });
}

/** @param reason one of a closed list: `not_media`, `empty`, `too_large`, or why a URL was not fetched */
export function mediaRejected(reason: string): void {
  counter('fanfare_library_media_rejected_total', 'Files and URLs rejected.', ['reason']).inc({ reason });
}

export function bytesServed(count: number): void {
  counter('fanfare_library_bytes_served_total', 'Bytes of media served.').inc(count);
}

/** Increments the gauge until the returned function is called. */
export function downloadUnderWay(): () => void {
  const downloads = gauge('fanfare_library_downloads', 'Downloads in progress.');
  downloads.inc();
  return () => downloads.dec();
}

/** Measures the time until the returned function is called. */
export function probeTook(): (labels: { type: 'image' | 'video' | 'audio' }) => void {
  return histogram('fanfare_library_probe_seconds', 'Time to probe a file, of files that were accepted.', ['type']).startTimer();
}

export function intakeEnded(outcome: 'ready' | 'failed'): void {
  counter('fanfare_library_intakes_total', 'Intakes finished in the background.', ['outcome']).inc({ outcome });
}

export function intakeRetried(): void {
  counter('fanfare_library_intake_retries_total', 'Failed attempts at intakes that are retried.').inc();
}

export function intakesInFlight(count: number): void {
  gauge('fanfare_library_intakes_in_flight', 'Intakes that this process is working on.').set(count);
}

/** @param outcome `rejected`: the file cannot be converted; `failed`: gave up after internal errors */
export function derivativeEnded(outcome: 'ready' | 'rejected' | 'failed'): void {
  counter('fanfare_library_derivatives_total', 'Derivatives finished.', ['outcome']).inc({ outcome });
}

export function derivativeRetried(): void {
  counter('fanfare_library_derivative_retries_total', 'Failed attempts at derivatives that are retried.').inc();
}

/** Measures the time until the returned function is called. */
export function derivativeTook(): () => void {
  return histogram(
    'fanfare_library_derivative_seconds',
    'Time to make a derivative, including reading and storing its bytes.',
  ).startTimer();
}

/** @param outcome `rejected`: by the provider; `failed`: gave up after errors; `unneeded`: there is a transcript, or the media was deleted */
export function transcriptEnded(outcome: 'ready' | 'rejected' | 'failed' | 'unneeded'): void {
  counter('fanfare_library_transcripts_total', 'Transcripts requested from the speech-to-text provider.', ['outcome']).inc({ outcome });
}

export function transcriptRetried(): void {
  counter('fanfare_library_transcript_retries_total', 'Failed attempts at transcripts that are retried.').inc();
}

export function collected(kind: 'upload' | 'blob' | 'archive' | 'derivative' | 'mark', sizeBytes: number, count = 1): void {
  counter('fanfare_library_collected_total', 'Items that the clean-up deleted.', ['kind']).inc({ kind }, count);
  if (kind === 'blob') counter('fanfare_library_collected_bytes_total', 'Bytes of blobs that the clean-up deleted.').inc(sizeBytes);
}
