import { randomBytes } from 'node:crypto';
import { DomainError, ERROR_TABLE, type ErrorCode } from '@fanfare/errors';
import { createKeyring, createLogger, newId } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient, type Db } from 'mongodb';
import { createIdempotency, type Idempotency, type Ids, type Repeatable } from '../../src/http/idempotency/idempotency.ts';
import { ReplayableProblem } from '../../src/http/idempotency/replayable-problem.ts';
import type { StoredResponse } from '../../src/http/idempotency/outcome.ts';
import { claimRecord, createIdempotencyIndexes, type IdempotencyRecordDocument } from '../../src/http/store/idempotency-records.ts';

const { mongoUrl, database } = testInfrastructure();
const keyring = createKeyring(`test:${randomBytes(32).toString('base64')}`);
const log = createLogger('test', 'silent');
/** Longer than this machine is ever blocked, so that no lease expires by accident. */
const LEASE_MS = 60_000;

let clients: MongoClient[];
let db: Db;
/** Two processes. */
let one: Idempotency;
let other: Idempotency;

beforeAll(async () => {
  clients = [0, 1].map(() => new MongoClient(mongoUrl, { writeConcern: { w: 'majority' }, ignoreUndefined: true }));
  db = clients[0]?.db(database) as Db;
  await createIdempotencyIndexes(db);
  [one, other] = clients.map((client) => createIdempotency({ db: client.db(database), keyring, log, leaseMs: LEASE_MS })) as [
    Idempotency,
    Idempotency,
  ];
});
afterAll(async () => {
  await db.dropDatabase();
  await Promise.all(clients.map((client) => client.close()));
});

const records = () => db.collection<IdempotencyRecordDocument>('idempotency_records');
const request = (more: Partial<Repeatable> = {}): Repeatable => ({
  key: newId(),
  scope: 'org',
  method: 'POST',
  path: '/api/things',
  body: { name: 'one' },
  signal: new AbortController().signal,
  ...more,
});
const idOf = ({ scope, key }: Repeatable) => `${scope}:${key}`;
const response = (body: string, more: Partial<StoredResponse> = {}): StoredResponse => ({
  status: 201,
  headers: { Location: '/x' },
  body,
  ...more,
});

/** Work that reports its start, and ends when the test says so. */
function blockedWork() {
  const begun: Ids[] = [];
  let finish: (response: StoredResponse) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const result = new Promise<StoredResponse>((resolve, reject) => ([finish, fail] = [resolve, reject]));
  const work = (ids: Ids) => (begun.push(ids), result);
  return { work, begun, finish, fail, untilBegun: () => eventually(() => begun.length > 0) };
}

describe('a repeat', () => {
  it('gets the first response, with other concurrent repeats in two processes', async () => {
    const same = request();
    const begun: Ids[] = [];
    const work = async (ids: Ids) => (begun.push(ids), response(ids.resourceId));
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? one : other).runOnce(same, work)));
    expect(begun).toHaveLength(1);
    expect(all.filter(({ isReplayed }) => isReplayed)).toHaveLength(19);
    for (const { outcome } of all) expect(outcome).toEqual({ response: response(begun[0]?.resourceId ?? '') });
  });

  it('with another body, path or method is a conflict, before and after the first has ended', async () => {
    const same = request();
    const first = blockedWork();
    const running = one.runOnce(same, first.work);
    await first.untilBegun();
    const conflict = expect.objectContaining({ code: 'IDEMPOTENCY_KEY_CONFLICT' }) as unknown;
    const others = [{ body: { name: 'two' } }, { path: '/api/others' }, { method: 'PUT' }].map((change) => ({ ...same, ...change }));
    for (const different of others) await expect(other.runOnce(different, first.work)).rejects.toEqual(conflict);
    first.finish(response('done'));
    await running;
    for (const different of others) await expect(other.runOnce(different, first.work)).rejects.toEqual(conflict);
    expect(first.begun).toHaveLength(1);
  });

  it('of another organization is no repeat', async () => {
    const mine = request();
    await one.runOnce(mine, async () => response('mine'));
    const theirs = await one.runOnce({ ...mine, scope: 'other' }, async () => response('theirs'));
    expect(theirs).toMatchObject({ isReplayed: false, outcome: { response: { body: 'theirs' } } });
  });

  it('after a day is a new request, even before the record is deleted', async () => {
    const same = request();
    await one.runOnce(same, async () => response('yesterday'));
    const { created_at, expires_at } = (await records().findOne({ _id: idOf(same) })) ?? {};
    expect((expires_at?.getTime() ?? 0) - (created_at?.getTime() ?? 0)).toBe(24 * 60 * 60_000);
    await records().updateOne({ _id: idOf(same) }, { $set: { expires_at: new Date(Date.now() - 60_000) } });
    const today = await other.runOnce({ ...same, body: 'another' }, async () => response('today'));
    expect(today).toMatchObject({ isReplayed: false, outcome: { response: { body: 'today' } } });
  });

  it('gets the same problems of the request itself', async () => {
    for (const code of ['missing_field', 'validation_failed'] as const) {
      const same = request();
      const errors = [{ param: '__proto__', code, detail: 'no' }];
      const failing = async () => Promise.reject(new ReplayableProblem(code, 'Not so.', { param: 'a.b', errors, members: { more: 'x' } }));
      await one.runOnce(same, failing);
      const { outcome, isReplayed } = await other.runOnce(same, async () => response('never'));
      expect(isReplayed).toBe(true);
      expect(outcome).toMatchObject({ problem: { code, detail: 'Not so.', param: 'a.b', errors, members: { more: 'x' } } });
    }
  });

  it('runs again, with the same ids, after temporary problems', async () => {
    for (const code of [...(Object.keys(ERROR_TABLE) as ErrorCode[]), undefined]) {
      const same = request();
      const seen: Ids[] = [];
      const error = code ? new DomainError(code, 'Not now.') : new TypeError('a mistake of ours');
      const failed = await one.runOnce(same, async (ids) => (seen.push(ids), Promise.reject(error)));
      expect(failed).toMatchObject({ isReplayed: false, outcome: { problem: { code: code ?? 'internal_error' } } });
      expect(await other.runOnce(same, async (ids) => (seen.push(ids), response('now')))).toMatchObject({ isReplayed: false });
      expect(seen[1]).toEqual(seen[0]);
      expect(await one.runOnce(same, async () => response('never'))).toMatchObject({ outcome: { response: { body: 'now' } } });
    }
  });
});

describe('while the first is running', () => {
  it('a repeat waits for it, even longer than the lease', async () => {
    const leaseMs = 4_000;
    const renewing = createIdempotency({ db, keyring, log, leaseMs });
    const same = request();
    const first = blockedWork();
    const second = blockedWork();
    const running = renewing.runOnce(same, first.work);
    await first.untilBegun();
    const { lease } = (await records().findOne({ _id: idOf(same) })) ?? {};
    const repeat = other.runOnce(same, second.work);
    await eventually(
      async () => ((await records().findOne({ _id: idOf(same) }))?.lease?.until ?? 0) > new Date((lease?.until.getTime() ?? 0) + leaseMs),
    );
    first.finish(response('first'));
    expect(await running).toMatchObject({ isReplayed: false });
    expect(await repeat).toMatchObject({ isReplayed: true, outcome: { response: { body: 'first' } } });
    expect(second.begun).toHaveLength(0);
  });

  it('one of its repeats continues after a failure', async () => {
    const same = request();
    const first = blockedWork();
    const running = one.runOnce(same, first.work);
    await first.untilBegun();
    const begun: Ids[] = [];
    const work = async (ids: Ids) => (begun.push(ids), response('second'));
    const repeats = [other.runOnce(same, work), one.runOnce(same, work)];
    first.fail(new DomainError('internal_error', 'Unavailable.'));
    expect(await running).toMatchObject({ outcome: { problem: { code: 'internal_error' } } });
    for (const { outcome } of await Promise.all(repeats)) expect(outcome).toEqual({ response: response('second') });
    expect(begun).toEqual(first.begun);
  });

  it('no repeat waits forever, or after its client has disconnected', async () => {
    const impatient = createIdempotency({ db, keyring, log, leaseMs: LEASE_MS, waitMs: 50 });
    const same = request();
    const first = blockedWork();
    const running = one.runOnce(same, first.work);
    await first.untilBegun();
    await expect(impatient.runOnce(same, first.work)).rejects.toMatchObject({ code: 'internal_error', retryAfterSeconds: 5 });
    await expect(other.runOnce({ ...same, signal: AbortSignal.abort() }, first.work)).rejects.toThrow();
    first.finish(response('first'));
    await running;
  });

  it('a repeat does not get the response of another request', async () => {
    const same = request();
    const first = blockedWork();
    const running = one.runOnce(same, first.work);
    await first.untilBegun();
    const repeat = other.runOnce(same, first.work);
    await records().updateOne({ _id: idOf(same) }, { $set: { fingerprint: 'of another, a day later' } });
    await expect(repeat).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_CONFLICT' });
    first.finish(response('first'));
    await running;
  });

  it('a stop waits until its response is stored', async () => {
    const same = request();
    const first = blockedWork();
    const running = one.runOnce(same, first.work);
    await first.untilBegun();
    const drained = one.drain().then(() => records().findOne({ _id: idOf(same) }));
    first.finish(response('first'));
    expect((await drained)?.answer).toBeDefined();
    await running;
  });
});

describe('after a crash', () => {
  it('a repeat takes over with the same ids when the lease has expired, and not before', async () => {
    const same = request();
    const crashed = blockedWork();
    // The first process begins, and crashes.
    const crashing = createIdempotency({ db, keyring, log, leaseMs: 400 });
    void crashing.runOnce(same, crashed.work);
    await crashed.untilBegun();
    const { lease } = (await records().findOneAndUpdate({ _id: idOf(same) }, { $set: { 'lease.token': 'dead' } })) ?? {};
    expect(lease?.until.getTime()).toBeGreaterThan(0);
    const seen: Ids[] = [];
    const repeats = Array.from({ length: 5 }, (_, at) =>
      (at % 2 ? one : other).runOnce(same, async (ids) => (seen.push(ids), response('taken over'))),
    );
    for (const { outcome } of await Promise.all(repeats)) expect(outcome).toEqual({ response: response('taken over') });
    expect(seen).toEqual(crashed.begun);
    crashed.finish(response('too late'));
  });

  it('a record without a result is taken over too', async () => {
    const same = request();
    await one.runOnce(same, async () => Promise.reject(new DomainError('internal_error', 'Unavailable.')));
    const { fingerprint, operation_id, resource_id } = (await records().findOne({ _id: idOf(same) })) as IdempotencyRecordDocument;
    await records().deleteOne({ _id: idOf(same) });
    await claimRecord(db, idOf(same), { fingerprint, operation_id, resource_id }, { token: 'dead', ms: 50 });
    const ids = { operationId: operation_id, resourceId: resource_id };
    await one.runOnce(same, async (given) => (expect(given).toEqual(ids), response('done')));
  });
});

describe('a process that lost its lease', () => {
  /** A process that was blocked for so long that it lost its lease, and continues. */
  async function stalled(same: Repeatable) {
    const slow = createIdempotency({ db, keyring, log, leaseMs: 60_000 });
    const first = blockedWork();
    const running = slow.runOnce(same, first.work);
    await first.untilBegun();
    await records().updateOne({ _id: idOf(same) }, { $set: { 'lease.until': new Date(0) } });
    return { first, running };
  }

  it('returns the response of the process that took over', async () => {
    const same = request();
    const { first, running } = await stalled(same);
    await other.runOnce(same, async () => response('winner'));
    first.finish(response('loser'));
    expect(await running).toEqual({ isReplayed: true, outcome: { response: response('winner') } });
  });

  it('waits for a process that is not done', async () => {
    const same = request();
    const { first, running } = await stalled(same);
    const second = blockedWork();
    const winning = other.runOnce(same, second.work);
    await second.untilBegun();
    first.finish(response('loser'));
    second.finish(response('winner'));
    await winning;
    expect(await running).toMatchObject({ outcome: { response: { body: 'winner' } } });
  });

  it('stores its own response if the other process failed, and does nothing twice', async () => {
    const same = request();
    const { first, running } = await stalled(same);
    await other.runOnce(same, async () => Promise.reject(new DomainError('internal_error', 'Unavailable.')));
    first.finish(response('loser'));
    expect(await running).toMatchObject({ outcome: { response: { body: 'loser' } } });
    expect(first.begun).toHaveLength(1);
    expect(await other.runOnce(same, async () => response('never'))).toMatchObject({
      isReplayed: true,
      outcome: { response: { body: 'loser' } },
    });
  });
});
