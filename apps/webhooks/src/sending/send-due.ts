import { setTimeout as pause } from 'node:timers/promises';
import { raisedFence, type Lease } from '@fanfare/leased-work';
import { now as timeOf } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import type { Context } from '../context.ts';
import { failPending, failThese, findDue, makeDue, nextAttemptAt, type DueDelivery } from '../deliveries/store/deliveries.ts';
import type { EndpointDocument } from '../endpoints/endpoint.ts';
import { openSecrets } from '../endpoints/secrets.ts';
import { beginSending, endpointRows, getLeased } from '../endpoints/store/endpoints.ts';
import type { EventDocument } from '../feed/event.ts';
import { findEventsById } from '../feed/store/events.ts';
import { countAttempt } from '../metrics.ts';
import { attempt, type Attempted } from './attempt.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { findProbes } from './find-probes.ts';
import { onlyFirst } from './only-first.ts';
import { breakMs, nextAttemptAt as nextAttempt } from './pauses.ts';
import { recoverSome } from './recover.ts';

/** Read at once. A change of the endpoint takes effect with the next ones. */
const READ_AT_ONCE = 100;
/** How soon deliveries are noticed that were added while this process waits for responses. The longer it waits, the less often it looks. */
const POLL_MS = 100;
const LONGEST_POLL_MS = 1_000;

/** When the process stops, requests in flight have this long to end. */
const STOP_MS = 5_000;

/**
 * Sends the due deliveries of an endpoint until none is due, and releases its lease.
 *
 * Only one delivery of a resource is sent at a time, so that first attempts are in order. How many are sent together adapts: each success allows one more,
 * each failure halves it. After too many failures in a row nothing is sent for a while, and then one at a time until one succeeds.
 * @throws LeaseLost
 */
export async function sendDue(context: Context, lease: Lease<EndpointDocument>): Promise<void> {
  const { config, db } = context;
  const { sending } = config;
  const organizationId = lease.row.organization_id;
  lease.row = await beginSending(db, lease.row, sending.leaseMs);
  const run = startRun(lease.row, sending.inFlight);
  const isBroken = () => run.failures >= sending.breaksAfter;
  const signal = AbortSignal.any([lease.lost, later(lease.stopping, STOP_MS)]);
  let waiting: Due[] = [];
  let pollMs = POLL_MS;
  for (;;) {
    const isEnding = lease.signal.aborted || run.ending !== undefined || run.pausedUntil > timeOf(organizationId);
    const hasRoom = !isEnding && run.inFlight.size < run.limit;
    if (hasRoom && waiting.length === 0 && run.mayHaveMore()) {
      run.moreAt = undefined;
      const { due, isAll } = await readDue(context, lease, [...run.inFlight.keys()], isBroken() ? run.failures : undefined);
      waiting = due;
      if (!isAll) run.hasMoreAt(NOW);
      pollMs = POLL_MS;
    }
    const next = !hasRoom ? -1 : waiting.findIndex(({ delivery }) => !run.isBusy(delivery.resource_id));
    const [due] = next < 0 ? [] : waiting.splice(next, 1);
    if (due) {
      await run.turn();
      begin(due);
    } else if (run.inFlight.size > 0) {
      const hasEnded = await Promise.race([...[...run.inFlight.values()].map(({ ended }) => ended), pause(pollMs, false as const)]);
      if (run.error) throw run.error as Error;
      if (!hasEnded) {
        pollMs = Math.min(2 * pollMs, LONGEST_POLL_MS);
        if ((await getLeased(db, lease.row)).queued !== lease.row.queued) run.hasMoreAt(NOW);
      }
    } else if (isEnding || (waiting.length === 0 && !run.mayHaveMore())) break;
  }
  if (run.error) throw run.error as Error;
  if (run.ending) return disableEndpoint(context, lease.row, run.ending.reason, run.ending.error);
  await release(db, lease.row, run);

  function begin({ delivery, event }: Due): void {
    const ended = sendOne(delivery, event)
      .catch((error: unknown) => {
        // Not sent, or the result could not be stored: it is due again when the lease is released or has expired.
        if (!signal.aborted) run.error ??= error;
      })
      .then(() => {
        run.inFlight.delete(delivery._id);
        // It is the turn of the next one of its resource.
        if (lease.row.ordered) run.hasMoreAt(NOW);
        return true as const;
      });
    run.inFlight.set(delivery._id, { resourceId: delivery.resource_id, ended });
  }

  async function sendOne(delivery: DueDelivery, event: EventDocument): Promise<void> {
    const attempted = await attempt(context, lease.row, openSecrets(context.keyring, lease.row), event, signal);
    countAttempt(attempted, event);
    const now = timeOf(organizationId);
    const { isAccepted } = attempted;
    const next = isAccepted || attempted.isGone ? undefined : nextAttempt(delivery, now, attempted.retryAfterMs ?? 0, sending);
    const status = isAccepted ? 'succeeded' : next ? 'pending' : 'failed';
    await context.storeOutcome({ id: delivery._id, outcome: { attempt: attempted.attempt, status, nextAttemptAt: next } });
    if (next) run.hasMoreAt(next);
    await (isAccepted ? afterSuccess() : afterFailure(attempted, now));
  }

  async function afterSuccess(): Promise<void> {
    // It works again: what has failed meanwhile need not wait for its next attempt. It has been due since the endpoint began to fail, not only from now on:
    // later events of the same resources, which may be stored in this moment, are sent after it.
    if (isBroken()) {
      await makeDue(db, lease.row._id, run.failingSince ?? timeOf(organizationId));
      run.hasMoreAt(NOW);
    }
    const hadFailed = run.failingSince !== undefined;
    run.succeeded(sending.inFlight);
    // Its owner sees it at once, also if there is so much to send that the lease is not released for long. `lease.row` stays as it was read: its `queued`
    // says which deliveries this process has seen.
    if (hadFailed) await endpointRows.write(db, { row: lease.row, pipeline: [{ $set: { failures: 0, failing_since: '$$REMOVE' } }] });
  }

  async function afterFailure({ attempt: made, isGone, retryAfterMs = 0 }: Attempted, now: Date): Promise<void> {
    run.failed(made.at);
    const error = made.error ?? '';
    const isFailing = run.failingSince !== undefined && now.getTime() - run.failingSince.getTime() >= sending.disabledAfterMs;
    if (lease.row.enabled && (isGone || isFailing)) run.ending = { reason: isGone ? 'gone' : 'failing', error };
    const delayMs = Math.max(breakMs(run.failures, sending), Math.min(retryAfterMs, sending.longestRetryAfterMs));
    if (delayMs > 0) run.pausedUntil = new Date(Math.max(run.pausedUntil.getTime(), now.getTime() + delayMs));
  }
}

/** A time that has come. */
const NOW = new Date(0);

interface Due {
  readonly delivery: DueDelivery;
  readonly event: EventDocument;
}

/** What is known of an endpoint while this process sends to it. */
interface Run {
  readonly inFlight: Map<string, { readonly resourceId: string; readonly ended: Promise<true> }>;
  /** How many are sent together. */
  limit: number;
  failures: number;
  failingSince: Date | undefined;
  pausedUntil: Date;
  /** The endpoint is to be disabled. */
  ending: { readonly reason: 'gone' | 'failing'; readonly error: string } | undefined;
  error: unknown;
  isBusy(resourceId: string): boolean;
  /** When deliveries are due that were not read; undefined if it is not known of any. */
  moreAt: Date | undefined;
  hasMoreAt(at: Date): void;
  mayHaveMore(): boolean;
  /** Waits for the rate limit of the endpoint. */
  turn(): Promise<void>;
  succeeded(most: number): void;
  failed(at: Date): void;
}

function startRun({ organization_id, failures, failing_since, rate_limit_per_second: rate }: EndpointDocument, inFlight: number): Run {
  let nextTurn = 0;
  return {
    inFlight: new Map(),
    limit: failures > 0 ? 1 : inFlight,
    failures,
    failingSince: failing_since,
    pausedUntil: new Date(0),
    ending: undefined,
    error: undefined,
    moreAt: NOW,
    isBusy(resourceId) {
      return [...this.inFlight.values()].some((one) => one.resourceId === resourceId);
    },
    hasMoreAt(at) {
      if (this.moreAt === undefined || at < this.moreAt) this.moreAt = at;
    },
    mayHaveMore() {
      return this.moreAt !== undefined && this.moreAt <= timeOf(organization_id);
    },
    async turn() {
      if (rate === undefined) return;
      const waitMs = nextTurn - performance.now();
      nextTurn = Math.max(nextTurn, performance.now()) + 1_000 / rate;
      if (waitMs > 0) await pause(waitMs);
    },
    succeeded(most) {
      this.failures = 0;
      this.failingSince = undefined;
      this.limit = Math.min(most, this.limit + 1);
    },
    failed(at) {
      this.failures++;
      this.failingSince ??= at;
      this.limit = Math.max(1, Math.floor(this.limit / 2));
    },
  };
}

/** Aborted so long after the other signal. */
function later(signal: AbortSignal, ms: number): AbortSignal {
  const aborting = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => aborting.abort(signal.reason), ms).unref(), { once: true });
  return aborting.signal;
}

/**
 * Reads the endpoint as it is now, and what is due. `isAll` says whether this is all that is due now.
 * @param failures in a row, if the endpoint does not work: only a probe is read, which shows whether it works again
 */
async function readDue(
  context: Context,
  lease: Lease<EndpointDocument>,
  without: readonly string[],
  failures: number | undefined,
): Promise<{ readonly due: Due[]; readonly isAll: boolean }> {
  const { config, db } = context;
  lease.row = await recoverSome(db, await getLeased(db, lease.row));
  const { _id, enabled, ordered, organization_id } = lease.row;
  const now = timeOf(organization_id);
  if (!enabled) await failPending(db, _id, 'all', now, 'The endpoint was disabled.');
  const due =
    failures === undefined ? await findDue(db, _id, now, without, READ_AT_ONCE) : await findProbes(db, _id, now, without, failures);
  const isAll = due.length < READ_AT_ONCE && !lease.row.recovery;
  if (due.length === 0) return { due: [], isAll };
  const begunBefore = new Date(now.getTime() - config.sending.triedForMs);
  // What could not be sent in time because the endpoint was paused. Each delivery gets at least one attempt.
  if (due.some(({ begun_at, tries }) => begun_at < begunBefore && tries > 0)) {
    await failPending(db, _id, { begunBefore }, now, 'It could not be delivered within 24 hours.');
    return readDue(context, lease, without, failures);
  }
  const first = ordered ? await onlyFirst(db, _id, due) : due;
  const events = await findEventsById(db, [...new Set(first.map(({ event_id }) => event_id))]);
  // Both are deleted after 30 days, but not in the same moment.
  await failThese(
    db,
    first.filter(({ event_id }) => !events.has(event_id)).map((delivery) => delivery._id),
    now,
    'The event is deleted.',
  );
  const sendable = first.flatMap((delivery) => {
    const event = events.get(delivery.event_id);
    return event ? [{ delivery, event }] : [];
  });
  return { due: sendable, isAll };
}

/**
 * Releases the lease. The endpoint is due again with its next delivery, and now if deliveries were added that this process has not seen.
 * @throws LeaseLost
 */
async function release(db: Db, row: EndpointDocument, { failures, failingSince, pausedUntil }: Run): Promise<void> {
  const next = await nextAttemptAt(db, row._id);
  const isPaused = pausedUntil > timeOf(row.organization_id);
  const atLeast = (at: unknown) => (isPaused ? { $max: [at, pausedUntil] } : at);
  const state = {
    held: false,
    fence: raisedFence,
    failures,
    failing_since: failingSince ?? '$$REMOVE',
    paused_until: isPaused ? pausedUntil : '$$REMOVE',
    send_at: { $cond: [{ $eq: ['$queued', row.queued] }, next ? atLeast(next) : '$$REMOVE', atLeast('$$NOW')] },
  };
  await endpointRows.write(db, { row, pipeline: [{ $set: state }] });
}
