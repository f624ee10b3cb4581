import type { Logger } from '@fanfare/runtime';
import type { EachBatchPayload } from 'kafkajs';

/**
 * How long a handled event may be uncommitted in Kafka. If the consumer dies meanwhile, the event is delivered again, and the inbox recognizes it.
 */
const COMMIT_MS = 500;

/** Commits the offsets of handled events: from time to time, for all partitions at once. */
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
      // Another consumer may own the partitions now. Offsets that were not committed are part of the next commit, or the events are delivered again.
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
