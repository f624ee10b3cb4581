/** Background work on media: fetching and checking it, and the time that the platform takes besides. */
export interface Processing {
  started_at: number;
  /** Not before this time, in milliseconds since 1970. */
  ready_at: number;
  /** Still being fetched or checked. */
  working: boolean;
  failure: { code: number; message: string } | null;
}

export function progressOf(processing: Processing, now: number): 'in_progress' | 'finished' | 'failed' {
  if (processing.failure && now >= processing.ready_at) return 'failed';
  return processing.working || processing.failure || now < processing.ready_at ? 'in_progress' : 'finished';
}

/**
 * Starts the work at once and returns its state to check later.
 * @param forced from a fault: another duration, or a failure whatever the media is
 */
export function startProcessing(
  now: number,
  defaultMs: number,
  forced: { ms?: number; error?: { code?: number; message?: string } },
  fallback: { code: number; message: string },
  work: () => Promise<{ code: number; message: string } | null>,
  onEnd: () => void,
): Processing {
  const processing: Processing = { started_at: now, ready_at: now + (forced.ms ?? defaultMs), working: true, failure: null };
  void work()
    .catch((error: unknown) => ({ ...fallback, message: String(error) }))
    .then((failure) => {
      processing.failure = forced.error ? { ...fallback, ...forced.error } : failure;
      processing.working = false;
      onEnd();
    });
  return processing;
}
