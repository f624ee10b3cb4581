import { backoffMs, counter, startLoop, type Logger, type Loop } from '@fanfare/runtime';
import type { Db, Document, Filter } from 'mongodb';
import { LeaseLost } from './lease-lost.ts';
import type { LeasedRow, LeasedRows } from './leased-rows.ts';
import { withLease, type Lease } from './with-lease.ts';

/** What happens when work fails. */
export interface Retry<Row extends LeasedRow> {
  /** The maximum number of attempts per row, including those whose process died. */
  readonly attempts: number;
  /** The delay after the first failure. It doubles with each failure, up to `maxDelayMs`, and is jittered. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** Whether a retry may succeed. */
  passes(error: unknown, row: Row): boolean;
  /** Called for each retry. The pipeline stages that it returns are written with the retry. */
  onRetry?(error: unknown): readonly Document[] | void;
  /** The minimum delay, for example because a server said when to retry. */
  leastDelayMs?(error: unknown): number | undefined;
  /** Ends the row: the failure is permanent, or this was the last attempt. */
  giveUp(lease: Lease<Row>, error: unknown): Promise<void>;
}

export interface Worker extends Loop {
  /** Aborts the work in progress, waits for it, and releases unfinished rows: another process can lease them at once. */
  stop(): Promise<void>;
}

/**
 * Leases due rows and works on several at a time. It renews each lease while the work runs. Work whose lease is lost is aborted, and its later writes
 * fail. Work ends its row or releases it (`LeasedRows.postpone`); an error leads to a retry, or to the end of the row. If this process dies, another
 * one leases the row when the lease has expired.
 *
 * Counts `fanfare_leased_work_total{work, outcome}`: `done`, `retried`, `given_up`, `lost`, `stopped`, `interrupted` (it failed, and `retry` is not
 * set or the result could not be written).
 *
 * @param options.name of the work, in logs and metrics
 * @param options.size how many rows at a time
 * @param options.idleMs how often to look for rows if nothing wakes it: another process may have died
 * @param options.fair at most `most` rows with the same value of `by` are processed here at once, and a value without rows in progress goes first
 * @param options.take replaces the choice of the first due row: leases one or several rows, as many as fit in addition to those in progress,
 *   or returns how many milliseconds to wait
 * @param options.idsOf ids for each log line about a row
 * @param options.retry if absent, work handles its failures itself
 */
export function startWorker<Row extends LeasedRow>(options: {
  name: string;
  db: Db;
  log: Logger;
  rows: LeasedRows<Row>;
  size: number;
  leaseMs: number;
  idleMs: number;
  fair?: { readonly by: keyof Row & string; readonly most: number };
  take?: (inWork: readonly Row[], room: number) => Promise<Row | readonly Row[] | number>;
  idsOf: (row: Row) => Readonly<Record<string, unknown>>;
  work: (lease: Lease<Row>) => Promise<void>;
  retry?: Retry<Row>;
  onInWork?: (count: number) => void;
}): Worker {
  const { name, db, rows, size, leaseMs, idleMs, idsOf, work, retry, onInWork = () => undefined } = options;
  const take = options.take ?? ((inWork) => takeNext(inWork));
  const outcomes = counter('fanfare_leased_work_total', 'Rows of background work, by the outcome of each lease.', ['work', 'outcome']);
  const inWork = new Map<Promise<void>, Row>();
  const stopping = new AbortController();
  /** Whether nothing was due when this process last looked. */
  let isIdle = false;

  const loop = startLoop({
    name,
    log: options.log,
    async run() {
      while (!stopping.signal.aborted && inWork.size < size) {
        const taken = await take([...inWork.values()], size - inWork.size);
        if (typeof taken === 'number') return taken;
        for (const row of isSeveral(taken) ? taken : [taken]) begin(row);
        onInWork(inWork.size);
      }
      return idleMs;
    },
  });

  const endWaking = rows.onWake(db, loop.wake);

  async function takeNext(others: readonly Row[]): Promise<Row | number> {
    // As long as nothing is due, one query a time shows that.
    if (isIdle && others.length === 0) {
      const nextInMs = await rows.nextInMs(db);
      if (nextInMs === undefined || nextInMs > 0) return atMostIdle(nextInMs);
    }
    const { by, most } = options.fair ?? {};
    const counts = by === undefined ? [] : [...Map.groupBy(others, (row) => row[by])].map(([value, same]) => [value, same.length] as const);
    const full = counts.filter(([, count]) => count >= (most ?? size)).map(([value]) => value);
    const without = (values: readonly unknown[]) => (by === undefined ? {} : ({ [by]: { $nin: values } } as Filter<Row>));
    const first = counts.length > 0 ? await rows.leaseDue(db, leaseMs, without(counts.map(([value]) => value))) : null;
    const row = first ?? (counts.length === 0 || counts.length > full.length ? await rows.leaseDue(db, leaseMs, without(full)) : null);
    isIdle = !row;
    if (row) return row;
    // A value at its share leaves its other rows due. They are leased after one of its rows ends, which wakes this loop.
    return full.length > 0 ? idleMs : atMostIdle(await rows.nextInMs(db));
  }

  function atMostIdle(nextInMs = idleMs): number {
    return Math.min(idleMs, Math.max(LEAST_WAIT_MS, nextInMs));
  }

  function begin(row: Row): void {
    const working = carryOut(row).finally(() => {
      inWork.delete(working);
      onInWork(inWork.size);
      loop.wake();
    });
    inWork.set(working, row);
  }

  async function carryOut(row: Row): Promise<void> {
    const log = options.log.child(idsOf(row));
    try {
      const outcome = await withLease({ db, rows, row, leaseMs, log, stopping: stopping.signal }, outcomeOf);
      outcomes.inc({ work: name, outcome });
    } catch (error) {
      const isLost = error instanceof LeaseLost;
      outcomes.inc({ work: name, outcome: isLost ? 'lost' : 'interrupted' });
      if (isLost) log.info({ work: name }, 'the lease was lost: another process has the row, or the row was deleted');
      else
        log.error({ err: error, work: name }, 'background work ended unexpectedly; another process takes the row when its lease expires');
    }
  }

  async function outcomeOf(lease: Lease<Row>): Promise<string> {
    // Leased while the process was stopping: the work has not begun.
    if (stopping.signal.aborted) return giveBack(lease);
    try {
      if (retry && (lease.row.attempts ?? 0) > retry.attempts) throw new Error('Every process that worked on it died.');
      await work(lease);
      return 'done';
    } catch (error) {
      if (error instanceof LeaseLost || lease.lost.aborted || !retry) throw error;
      return stopping.signal.aborted ? giveBack(lease) : afterFailure(lease, retry, error);
    }
  }

  async function giveBack(lease: Lease<Row>): Promise<string> {
    await rows.giveBack(db, lease.row);
    return 'stopped';
  }

  async function afterFailure(
    lease: Lease<Row>,
    { attempts, firstDelayMs, maxDelayMs, passes, onRetry, leastDelayMs, giveUp }: Retry<Row>,
    error: unknown,
  ) {
    const attempt = lease.row.attempts ?? 1;
    if (attempt >= attempts || !passes(error, lease.row)) {
      await giveUp(lease, error);
      return 'given_up';
    }
    const retryInMs = Math.max(leastDelayMs?.(error) ?? 0, backoffMs(attempt - 1, firstDelayMs, maxDelayMs));
    lease.log.warn({ err: error, work: name, attempt, retry_in_ms: retryInMs }, 'background work failed; retrying');
    await rows.postpone(db, lease.row, retryInMs, onRetry?.(error) ?? []);
    return 'retried';
  }

  return {
    ...loop,
    async stop() {
      endWaking();
      stopping.abort(new Error('The process is stopping.'));
      await loop.stop();
      await Promise.all(inWork.keys());
    },
  };
}

const LEAST_WAIT_MS = 5;

const isSeveral = <T extends object>(taken: T | readonly T[]): taken is readonly T[] => Array.isArray(taken);
