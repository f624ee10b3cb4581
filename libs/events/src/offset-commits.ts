import type { Logger } from '@fanfare/runtime';
import type { EachBatchPayload } from 'kafkajs';

/** How long Kafka may believe that an event is still to be handled. A consumer that dies in between is sent it again, and its inbox knows it. */
const COMMIT_MS = 500;

/** Tells Kafka what has been handled: now and then, for all partitions at once. */
export function offsetCommits(log: Logger) {
  type Offsets = Pick<EachBatchPayload, 'uncommittedOffsets' | 'commitOffsetsIfNecessary'>;
  let pending: { readonly offsets: Offsets; readonly timer: NodeJS.Timeout } | undefined;

  async function now(): Promise<void> {
    if (!pending) return;
    const { offsets, timer } = pending;
    clearTimeout(timer);
    pending = undefined;
    try {
      const handled = offsets.uncommittedOffsets();
      if (handled.topics.length > 0) await offsets.commitOffsetsIfNecessary(handled);
    } catch (error) {
      // The partitions may be another's now. What was not committed is told with the next, or sent again.
      log.info({ err: error }, 'could not commit offsets to Kafka; handled events may be received again');
    }
  }

  return {
    now,
    soon(offsets: Offsets): void {
      pending ??= { offsets, timer: setTimeout(() => void now(), COMMIT_MS) };
    },
    /** For a consumer that has left its group. */
    forget(): void {
      clearTimeout(pending?.timer);
      pending = undefined;
    },
  };
}
