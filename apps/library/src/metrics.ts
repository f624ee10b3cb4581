import { counter, gauge } from '@fanfare/runtime';

export function mediaStored(type: 'image' | 'video' | 'audio', source: 'upload' | 'url'): void {
  counter('fanfare_library_media_stored_total', 'Media stored.', ['type', 'source']).inc({ type, source });
}

/** @param reason one of a closed list: `not_media`, `empty`, `too_large`, or why a URL was not fetched */
export function mediaRefused(reason: string): void {
  counter('fanfare_library_media_refused_total', 'Files and URLs refused.', ['reason']).inc({ reason });
}

export function bytesServed(count: number): void {
  counter('fanfare_library_bytes_served_total', 'Bytes of media handed out.').inc(count);
}

/** Counts one until the function that it answers with is called. */
export function downloadUnderWay(): () => void {
  const downloads = gauge('fanfare_library_downloads', 'Downloads under way.');
  downloads.inc();
  return () => downloads.dec();
}

/** @param outcome what became of a URL that was fetched, or an upload that was looked at, in the background */
export function intakeEnded(outcome: 'ready' | 'failed'): void {
  counter('fanfare_library_intakes_total', 'Intakes worked off in the background.', ['outcome']).inc({ outcome });
}

export function intakeRetried(): void {
  counter('fanfare_library_intake_retries_total', 'Attempts at intakes that failed and are tried again.').inc();
}

export function intakesInFlight(count: number): void {
  gauge('fanfare_library_intakes_in_flight', 'Intakes that this process works at.').set(count);
}
