/** What Kafka has of a partition, and what a consumer group has handled of it. */
export interface PartitionState {
  readonly topic: string;
  readonly partition: number;
  /** The offset of the oldest message that Kafka still has. */
  readonly low: number;
  /** The offset of the next message. */
  readonly high: number;
  /** The offset of the first message that is not handled; -1 if none was handled yet. */
  readonly committed: number;
}

/** A partition with events that are not handled. */
export interface Lag {
  readonly topic: string;
  readonly partition: number;
  /** Milliseconds since its oldest such event was sent, to within the time between two measurements. */
  readonly ageMs: number;
  /** Milliseconds in which none of its events was handled. */
  readonly stillMs: number;
}

interface Known {
  readonly next: number;
  /** Since when `next` is the first that is not handled, although there are events. */
  readonly stillSince: number;
  /** When Kafka was first seen to have the messages up to an offset; only those that are not handled. */
  readonly seen: { readonly high: number; readonly at: number }[];
}

/** More are not remembered: then the age of the newest of them is too high by some measurements. */
const MOST_SEEN = 500;

/** Follows, from one measurement to the next, how far a consumer group is behind. Reads no message. */
export function createLagTracker(): { measure(states: readonly PartitionState[], atMs: number): Lag[] } {
  const partitions = new Map<string, Known>();
  return {
    measure(states, atMs) {
      return states.flatMap(({ topic, partition, low, high, committed }) => {
        const key = `${topic}/${partition}`;
        // Kafka deletes old messages, and a group that never had one to handle has no offset.
        const next = Math.max(committed, low);
        if (next >= high) {
          partitions.delete(key);
          return [];
        }
        const before = partitions.get(key);
        const seen = (before?.seen ?? []).filter((one) => one.high > next);
        if (high > (seen.at(-1)?.high ?? -1)) {
          if (seen.length >= MOST_SEEN) seen.splice(-1, 1, { high, at: seen.at(-1)?.at ?? atMs });
          else seen.push({ high, at: atMs });
        }
        const stillSince = before?.next === next ? before.stillSince : atMs;
        partitions.set(key, { next, stillSince, seen });
        return [{ topic, partition, ageMs: atMs - (seen[0]?.at ?? atMs), stillMs: atMs - stillSince }];
      });
    },
  };
}
