import { randomBytes } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import { createHealth, createKeyring, createLogger, newId, startAdminServer } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import { MongoClient, type Db } from 'mongodb';
import { createIdempotency, type Idempotency, type Ids, type Repeatable } from '../../src/http/idempotency/idempotency.ts';
import { ReplayableProblem } from '../../src/http/idempotency/replayable-problem.ts';
import type { StoredResponse } from '../../src/http/idempotency/outcome.ts';
import { createIdempotencyIndexes, type IdempotencyRecordDocument } from '../../src/http/store/idempotency-records.ts';

const { mongoUrl, database } = testInfrastructure();
const aKeyring = (id: string) => createKeyring(`${id}:${randomBytes(32).toString('base64')}`);
const keyring = aKeyring('test');
const log = createLogger('test', 'silent');
/** Longer than this machine is ever blocked, so that no lease expires by accident. */
const LEASE_MS = 60_000;

let client: MongoClient;
let db: Db;
let one: Idempotency;
let other: Idempotency;

beforeAll(async () => {
  client = new MongoClient(mongoUrl, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  db = client.db(database);
  await createIdempotencyIndexes(db);
  one = createIdempotency({ db, keyring, log, leaseMs: LEASE_MS });
  other = createIdempotency({ db, keyring, log, leaseMs: LEASE_MS });
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
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
const response = (body: string, more: Partial<StoredResponse> = {}): StoredResponse => ({ status: 201, headers: {}, body, ...more });

async function metrics(): Promise<string> {
  const server = await startAdminServer({ service: 'test', address: '127.0.0.1:0', health: createHealth() });
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  await server.stop();
  return text;
}

describe('a stored response', () => {
  it('is encrypted', async () => {
    const same = request();
    await one.runOnce(same, async () => response('fk_live_secret'));
    const record = await records().findOne({ _id: idOf(same) });
    expect(JSON.stringify(record)).not.toContain('secret');
    expect(record?.answer).toMatch(/^test\./);
  });

  it('of a streamed body is compared by its digest, which is read only if necessary', async () => {
    let read = 0;
    const streamed = (digest: string) => ({ ...request({ key: 'upload', body: undefined }), digest: async () => (read++, digest) });
    await one.runOnce(streamed('a'), async () => response('done', { digest: 'a' }));
    expect(read).toBe(0);
    expect(await other.runOnce(streamed('a'), async () => response('never'))).toMatchObject({ isReplayed: true });
    await expect(other.runOnce(streamed('b'), async () => response('never'))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_CONFLICT' });
    expect(read).toBe(2);
  });

  it('is not the rejection of a streamed body, which may not have been read to its end', async () => {
    const streamed = { ...request({ body: undefined }), digest: async () => 'a' };
    await one.runOnce(streamed, async () => Promise.reject(new DomainError('invalid_value', 'No image.')));
    expect(await one.runOnce(streamed, async () => response('an image'))).toMatchObject({ isReplayed: false });
  });

  it.each([
    ['a response', async () => response('x'.repeat(9 * 1024 * 1024))],
    ['a problem', async () => Promise.reject(new ReplayableProblem('validation_failed', 'x'.repeat(300 * 1024)))],
  ])('is not %s that is too large; a repeat runs with the same ids', async (_what, large) => {
    const same = request();
    const seen: Ids[] = [];
    for (const by of [one, other]) {
      const { isReplayed } = await by.runOnce(same, async (ids) => (seen.push(ids), large()));
      expect(isReplayed).toBe(false);
    }
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
  });

  it('whose encryption key is missing is not recomputed: the repeat and a metric report it', async () => {
    const same = request();
    await one.runOnce(same, async () => response('done'));
    const rotated = createIdempotency({ db, keyring: aKeyring('new'), log, leaseMs: LEASE_MS });
    const begun: Ids[] = [];
    const again = async (ids: Ids) => (begun.push(ids), response('again'));
    const unreadable = {
      code: 'invalid_request',
      param: 'Idempotency-Key',
      detail: expect.stringContaining('cannot be read') as string,
    };
    await expect(rotated.runOnce(same, again)).rejects.toMatchObject(unreadable);
    await expect(rotated.runOnce(same, again)).rejects.toMatchObject(unreadable);
    expect(begun).toEqual([]);
    expect(await metrics()).toMatch(/^fanfare_idempotency_total\{outcome="unreadable"[^}]*\} 2$/m);
    expect(await other.runOnce(same, again)).toMatchObject({ isReplayed: true, outcome: { response: { body: 'done' } } });
  });
});
