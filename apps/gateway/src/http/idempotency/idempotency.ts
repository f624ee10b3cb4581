import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@fanfare/errors';
import { keepLeaseAlive } from '@fanfare/leased-work';
import { counter, deadlineIn, newId, type Keyring, type Logger } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { claimRecord, completeRecord, readRecord, releaseRecord, renewLease, type ClaimedRecord } from '../store/idempotency-records.ts';
import { fingerprint } from './fingerprint.ts';
import { keyConflict } from './key-conflict.ts';
import { readOutcome, writeOutcome, type Outcome, type StoredResponse } from './outcome.ts';

/** A request that the client may repeat. */
export interface Repeatable {
  readonly key: string;
  /** The organization that the key belongs to, or the user if no organization is known. */
  readonly scope: string;
  readonly method: string;
  readonly path: string;
  /** Parsed JSON; undefined if the body is streamed. */
  readonly body: unknown;
  /** For a streamed body: reads it and hashes it as `work` does, without other effects. */
  readonly digest?: () => Promise<string>;
  /** Aborted when the client disconnects. Work that has begun is completed anyway. */
  readonly signal: AbortSignal;
}

export interface Ids {
  readonly operationId: string;
  readonly resourceId: string;
}

export interface Idempotency {
  /**
   * Runs the work, or returns the outcome of an earlier run. However often the request is repeated, even after a crash, the work gets the same ids.
   * @throws DomainError IDEMPOTENCY_KEY_CONFLICT, internal_error when the first request takes longer than a repeat waits, and invalid_request when
   * its stored response can no longer be read
   */
  runOnce(request: Repeatable, work: (ids: Ids) => Promise<StoredResponse>): Promise<{ outcome: Outcome; isReplayed: boolean }>;
  /** Waits up to five seconds for running work. */
  drain(): Promise<void>;
}

/** Longer than the longest call of a handler, shorter than the minute after which load balancers time out. */
const WAIT_MS = 50_000;
const FIRST_DELAY_MS = 10;
const MAX_DELAY_MS = 80;
const DRAIN_MS = 5_000;

const UNREADABLE =
  'The stored response for this Idempotency-Key cannot be read. The first request completed: check its result before you retry with another key.';

/**
 * @param leaseMs how long after its last renewal a lease expires, so that a repeat may take over
 * @param waitMs how long a repeat waits for the response of the first request
 */
export function createIdempotency(options: { db: Db; keyring: Keyring; log: Logger; leaseMs: number; waitMs?: number }): Idempotency {
  const { db, keyring, log, leaseMs, waitMs = WAIT_MS } = options;
  const outcomes = counter('fanfare_idempotency_total', 'Requests with an Idempotency-Key, by outcome.', ['outcome']);
  const running = new Set<Promise<unknown>>();

  return {
    async runOnce(request, work) {
      const id = `${request.scope}:${request.key}`;
      const first = {
        fingerprint: fingerprint(request.method, request.path, request.body),
        operation_id: newId(),
        resource_id: newId(),
      };
      const patience = deadlineIn(waitMs);
      let own: Outcome | undefined;

      for (;;) {
        const token = newId();
        const record = await claimRecord(db, id, first, { token, ms: leaseMs });
        if (record.fingerprint !== first.fingerprint) throw conflict();
        if (record.lease?.token !== token) {
          const kept = record.answer === undefined ? await waitForOutcome(id, first.fingerprint, patience, request.signal) : record;
          if (kept) return { outcome: await replay(kept, request, own), isReplayed: true };
          continue; // The lease has expired, or the outcome was one that is not stored.
        }
        outcomes.inc({ outcome: record.attempts === 1 ? 'first' : 'taken_over' });
        const ids = { operationId: record.operation_id, resourceId: record.resource_id };
        const { outcome, isOurs } = await track(carryOut(id, token, request, own, () => work(ids)));
        if (isOurs) return { outcome, isReplayed: false };
        // The lease was lost: another process does the same work with the same ids, and its outcome counts.
        outcomes.inc({ outcome: 'overtaken' });
        own = outcome;
      }
    },
    async drain() {
      await Promise.race([Promise.allSettled(running), pause(DRAIN_MS, undefined, { ref: false })]);
    },
  };

  async function carryOut(id: string, token: string, request: Repeatable, own: Outcome | undefined, work: () => Promise<StoredResponse>) {
    const outcome = own ?? (await attempt(id, token, work));
    return { outcome, isOurs: await storeOutcome(id, token, outcome, request) };
  }

  async function attempt(id: string, token: string, work: () => Promise<StoredResponse>): Promise<Outcome> {
    const lease = keepLeaseAlive(() => renewLease(db, id, { token, ms: leaseMs }), leaseMs, log);
    try {
      return { response: await work() };
    } catch (error) {
      if (error instanceof DomainError) return { problem: error };
      return { problem: new DomainError('internal_error', 'Something went wrong on our side.', { cause: error }) };
    } finally {
      lease.release();
    }
  }

  /** Stores the outcome. False when the lease was lost. */
  async function storeOutcome(id: string, token: string, outcome: Outcome, { digest }: Repeatable): Promise<boolean> {
    // A rejected streamed body may not have been read to its end. Without its digest, a repeat cannot be told from a different request.
    const kept = digest && 'problem' in outcome ? undefined : writeOutcome(outcome);
    try {
      if (kept === undefined) return await releaseRecord(db, id, token).then(() => true);
      const streamed = 'response' in outcome ? outcome.response.digest : undefined;
      return await completeRecord(db, id, token, {
        answer: keyring.seal(kept, sealedFor(id)),
        ...(streamed !== undefined && { digest: streamed }),
      });
    } catch (error) {
      // The work is done. After the lease expires, a repeat takes over with the same ids and finds it done.
      log.warn({ err: error }, 'the response of an idempotent request could not be stored');
      return true;
    }
  }

  async function waitForOutcome(
    id: string,
    mine: string,
    patience: ReturnType<typeof deadlineIn>,
    signal: AbortSignal,
  ): Promise<ClaimedRecord | undefined> {
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(MAX_DELAY_MS, delayMs * 1.5)) {
      const record = await readRecord(db, id);
      if (record && record.fingerprint !== mine) throw conflict();
      if (record?.answer !== undefined) return record;
      if (!record?.leased) return undefined;
      if (signal.aborted) throw new DomainError('invalid_request', 'The client closed the connection.');
      if (patience.passed()) {
        outcomes.inc({ outcome: 'gave_up' });
        throw new DomainError('internal_error', 'The first request with this Idempotency-Key is still running.', { retryAfterSeconds: 5 });
      }
      await pause(delayMs * (0.5 + Math.random() / 2));
    }
  }

  async function replay({ _id, answer, digest }: ClaimedRecord, request: Repeatable, own: Outcome | undefined) {
    if (digest !== undefined) {
      const ours = own && 'response' in own ? own.response.digest : await request.digest?.();
      if (ours !== digest) throw conflict();
    }
    return reopen(_id, answer ?? '');
  }

  /** The work must not run again, even if its outcome cannot be read: then the client must check it. */
  function reopen(id: string, sealed: string): Outcome {
    try {
      const outcome = readOutcome(keyring.open(sealed, sealedFor(id)));
      outcomes.inc({ outcome: 'replayed' });
      return outcome;
    } catch (error) {
      outcomes.inc({ outcome: 'unreadable' });
      log.error(
        { err: error },
        'the stored response of an idempotent request cannot be decrypted: was a key removed from KEYRING within the last day?',
      );
      throw new DomainError('invalid_request', UNREADABLE, { param: 'Idempotency-Key', cause: error });
    }
  }

  function track<T>(promise: Promise<T>): Promise<T> {
    running.add(promise);
    return promise.finally(() => running.delete(promise));
  }

  function conflict(): DomainError {
    outcomes.inc({ outcome: 'conflict' });
    return keyConflict();
  }
}

const sealedFor = (id: string) => `idempotency:${id}`;
