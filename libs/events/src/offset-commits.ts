import type { Logger } from '@fanfare/runtime';
import type { EachBatchPayload } from 'kafkajs';

/**
 * How long a handled event may be uncommitted in Kafka. If the consumer dies meanwhile, the event is delivered again, and the inbox recognizes it.
 */
const COMMIT_MS = 500;
/** The delay after a commit that failed. Without another one, events that are handled would look as if they waited until the next event comes. */
const RETRY_MS = 2_000;

/** Commits the offsets of handled events: from time to time, for all partitions at once, until Kafka has them. */
export function offsetCommits(log: Logger) {
  type Offsets = Pick<EachBatchPayload, 'uncommittedOffsets' | 'commitOffsetsIfNecessary'>;
  let pending: { readonly offsets: Offsets; readonly timer: NodeJS.Timeout } | undefined;
  let hasLeft = false;

  /** The newest offsets replace waiting ones: a consumer that joined again under another name no longer commits by those of its former one. */
  function soon(offsets: Offsets, ms = COMMIT_MS): void {
    if (hasLeft) return;
    pending = { offsets, timer: pending?.timer ?? setTimeout(() => void now(), ms) };
  }

  async function now(): Promise<void> {
    if (!pending) return;
    const { offsets, timer } = pending;
    clearTimeout(timer);
    pending = undefined;
    try {
      const handled = offsets.uncommittedOffsets();
      if (handled.topics.length > 0) await offsets.commitOffsetsIfNecessary(handled);
    } catch (error) {
      // Another consumer may own the partitions now: after joining the group again, nothing of them is uncommitted, and they deliver the events again.
      log.info({ err: error, retry_in_ms: RETRY_MS }, 'could not commit offsets to Kafka; handled events may be received again');
      if (!pending) soon(offsets, RETRY_MS);
    }
  }

  return {
    now,
    soon: (offsets: Offsets): void => soon(offsets),
    /** For a consumer that has left its group. */
    forget(): void {
      hasLeft = true;
      clearTimeout(pending?.timer);
      pending = undefined;
    },
  };
}
