import type { LedgerProblem } from '@fanfare/contracts/timeline';
import { currentTime, newId } from '@fanfare/runtime';
import { recordLog, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import {
  anchorDays,
  chained,
  createLedgerIndexes,
  keepLedger,
  listEntriesOfPost,
  recordEntries,
  verifyLedger,
  type EntryDocument,
  type Head,
  type Subject,
  type Witness,
} from '../src/index.ts';

const NO_DOCUMENTS = { of: async () => [], page: async () => ({ witnesses: [], nextAfter: undefined }) };

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const entries = db.collection<EntryDocument>('ledger');
const anchors = db.collection<EntryDocument>('ledger_anchors');
const { log, lines } = recordLog();
const DAY_MS = 24 * 3_600_000;
const tomorrow = () => new Date(currentTime().getTime() + DAY_MS);

beforeAll(async () => {
  await client.connect();
  await createLedgerIndexes(db);
});
beforeEach(async () => {
  for (const name of ['ledger', 'ledger_anchors', 'ledger_state']) await db.collection(name).deleteMany({});
  heads.clear();
  await keepLedger(db, 400);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

/** The heads that the documents of the chains would have. */
const heads = new Map<string, Witness>();
const organizationId = newId();

/** Appends entries to a chain of a new or a given subject. @returns the subject */
async function write(count: number, subject = aSubject(), at = currentTime()): Promise<Subject> {
  const before = heads.get(subject.chain) as Head | undefined;
  const facts = Array.from({ length: count }, (_, index) => ({ kind: 'edited', actor: 'key:1', details: { fields: [`field_${index}`] } }));
  const { links, head } = chained(subject, before && { n: before.n, hash: before.hash, at: before.at }, facts, at);
  await client.withSession((session) => session.withTransaction(() => recordEntries(db, [{ subject, links }], session)));
  if (head) heads.set(subject.chain, { organizationId: subject.organizationId, postId: subject.postId, chain: subject.chain, ...head });
  return subject;
}
function aSubject(more: Partial<Subject> = {}): Subject {
  const chain = newId();
  return { chain, postId: chain, organizationId, businessId: 'b', ...more };
}

/** Every problem, page by page. @param isWitnessed whether the documents that the chains are about are read */
async function verify(which: { organizationId?: string; postId?: string } = {}, isWitnessed = true) {
  const problems: LedgerProblem[] = [];
  const checked = { entries: 0, chains: 0, anchors: 0 };
  for (let pageToken: string | undefined; pageToken !== '';) {
    const request = { organizationId: which.organizationId, postId: which.postId, pageToken: pageToken ?? '' };
    const page = await verifyLedger(db, request, {
      async of({ chains, postId }) {
        const all = [...heads.values()].filter((one) => (postId === undefined ? chains.includes(one.chain) : one.postId === postId));
        return isWitnessed ? all : [];
      },
      async page(after) {
        const all = isWitnessed
          ? [...heads.values()].filter(({ chain }) => chain > after).sort((a, b) => (a.chain < b.chain ? -1 : 1))
          : [];
        return { witnesses: all.slice(0, 7), nextAfter: all.length > 7 ? all[6]?.chain : undefined };
      },
    });
    // The first one of each chain, as operators see it.
    problems.push(...page.problems.filter(({ chain }) => !problems.some((one) => one.chain === chain)));
    for (const name of ['entries', 'chains', 'anchors'] as const) checked[name] += page[name];
    pageToken = page.nextPageToken;
  }
  return { problems: byChain(problems.map(({ chain, position, problem }) => [chain, position, problem] as const)), checked };
}
const byChain = (problems: readonly (readonly [string, number, string])[]) => problems.toSorted(([a], [b]) => (a < b ? -1 : 1));
const idOf = ({ chain }: Subject, n: number) => `${chain}:${String(n).padStart(8, '0')}`;

test('what was written is intact, in any number of pages', async () => {
  for (let index = 0; index < 30; index++) await write(90 + index);
  await anchorDays({ db, log }, tomorrow());
  const { problems, checked } = await verify();
  expect(problems).toEqual([]);
  expect(checked).toEqual({ entries: 30 * 90 + (29 * 30) / 2, chains: 30, anchors: 1 });
});

test('names the first changed, missing or reordered entry of each chain, and only that', async () => {
  const [intact, changed, missing, reordered] = [await write(5), await write(5), await write(5), await write(5)];
  await anchorDays({ db, log }, tomorrow());
  await entries.updateMany({ _id: { $in: [idOf(changed, 2), idOf(changed, 4)] } }, { $set: { actor: 'key:another' } });
  await entries.deleteMany({ _id: { $in: [idOf(missing, 3), idOf(missing, 4)] } });
  const [second, third] = await entries
    .find({ _id: { $in: [idOf(reordered, 2), idOf(reordered, 3)] } })
    .sort({ _id: 1 })
    .toArray();
  await entries.deleteMany({ _id: { $in: [idOf(reordered, 2), idOf(reordered, 3)] } });
  await entries.insertMany([
    { ...(third as EntryDocument), _id: idOf(reordered, 2), n: 2 },
    { ...(second as EntryDocument), _id: idOf(reordered, 3), n: 3 },
  ]);
  const expected = byChain([
    [changed.chain, 2, 'changed'],
    [missing.chain, 3, 'missing'],
    [reordered.chain, 2, 'reordered'],
  ]);
  expect((await verify()).problems).toEqual(expected);
  expect((await verify({ organizationId })).problems).toEqual(expected);
  expect((await verify({ organizationId: newId() })).problems).toEqual([]);
  expect((await verify({ postId: missing.postId })).problems).toEqual([[missing.chain, 3, 'missing']]);
  expect((await verify({ postId: intact.postId })).problems).toEqual([]);
});

test('the newest entries and whole chains cannot be deleted: the documents and the anchors name them', async () => {
  const [shortened, deleted] = [await write(5), await write(5)];
  await anchorDays({ db, log }, tomorrow());
  await entries.deleteMany({ _id: { $in: [idOf(shortened, 4), idOf(shortened, 5)] } });
  await entries.deleteMany({ chain: deleted.chain });
  // The documents name them at once.
  expect((await verify({ postId: shortened.postId })).problems).toEqual([[shortened.chain, 4, 'missing']]);
  expect((await verify({ postId: deleted.postId })).problems).toEqual([[deleted.chain, 5, 'missing']]);
  // Without an anchor, too: all documents are read.
  const today = await write(2);
  await entries.deleteMany({ chain: today.chain });
  expect((await verify()).problems).toEqual(
    byChain([
      [shortened.chain, 4, 'missing'],
      [deleted.chain, 5, 'missing'],
      [today.chain, 2, 'missing'],
    ]),
  );
  // Even without the documents, the anchors name both.
  expect((await verify({}, false)).problems).toEqual(
    byChain([
      [shortened.chain, 5, 'missing'],
      [deleted.chain, 5, 'missing'],
    ]),
  );
});

test('a chain that was written again as a whole does not fit its anchor', async () => {
  const subject = await write(3);
  await anchorDays({ db, log }, tomorrow());
  await entries.deleteMany({ chain: subject.chain });
  heads.delete(subject.chain);
  await write(3, subject, new Date(currentTime().getTime() - 1_000));
  expect((await verify()).problems).toEqual([[subject.chain, 3, 'changed']]);
});

test('anchors are a chain of each organization: a changed or missing one is named', async () => {
  const day = (n: number) => new Date(currentTime().getTime() + n * DAY_MS);
  const other = aSubject({ organizationId: newId() });
  for (const n of [1, 2, 3]) {
    // Recorded on other days.
    await entries.updateMany({}, { $set: { recorded_at: day(-10) } });
    await db.collection('ledger_state').deleteMany({});
    await keepLedger(db, 400);
    const { chain } = await write(1);
    await write(1, other);
    await entries.updateMany({ recorded_at: { $gt: day(-5) } }, { $set: { recorded_at: day(n - 5) } });
    await anchorDays({ db, log }, day(n - 4));
    expect(await anchors.countDocuments({ organization_id: organizationId, 'details.heads.chain': chain })).toBe(1);
  }
  expect((await verify()).problems).toEqual([]);
  const [first, second] = await anchors.find({ organization_id: organizationId }).sort({ _id: 1 }).toArray();
  expect(first).toBeDefined();
  await anchors.deleteOne({ _id: second?._id ?? '' });
  expect((await verify()).problems).toEqual([[`anchors-${organizationId}`, 2, 'missing']]);
});

test('days are anchored once, by one process at a time, and the hash is logged', async () => {
  const { chain } = await write(2);
  await write(2, aSubject({ organizationId: newId() }));
  await anchorDays({ db, log }, currentTime());
  expect(await anchors.countDocuments()).toBe(0);
  await Promise.all([1, 2, 3].map(() => anchorDays({ db, log }, tomorrow())));
  await anchorDays({ db, log }, tomorrow());
  const written = await anchors.find().toArray();
  expect(written).toHaveLength(2);
  const ours = written.find((one) => one.organization_id === organizationId);
  expect(ours?.details['heads']).toEqual([expect.objectContaining({ chain, n: 2, hash: heads.get(chain)?.hash })]);
  expect(lines.some((line) => line['hash'] === ours?.hash)).toBe(true);
});

test('an anchor that a dead process left incomplete is continued', async () => {
  const subjects = [await write(1), await write(1), await write(1)].sort((a, b) => (a.chain < b.chain ? -1 : 1));
  await anchorDays({ db, log }, tomorrow());
  const [whole] = await anchors.find().toArray();
  await anchors.deleteMany({});
  // As if only the first chain had been anchored before the process died.
  const { details } = whole as EntryDocument;
  const { links } = chained(
    { chain: `anchors-${organizationId}`, postId: '', organizationId, businessId: '' },
    undefined,
    [
      {
        kind: 'anchor',
        actor: 'system:ledger',
        details: { ...details, is_complete: false, heads: [(details['heads'] as object[])[0] as never] },
      },
    ],
    currentTime(),
  );
  await anchors.insertOne({ ...(whole as EntryDocument), ...links[0] });
  await db.collection('ledger_state').updateOne({ _id: 'anchoring' as never }, { $unset: { through: '' } });
  await anchorDays({ db, log }, tomorrow());
  const all = (await anchors.find().sort({ _id: 1 }).toArray()).map((one) =>
    (one.details['heads'] as unknown as { chain: string }[]).map(({ chain }) => chain),
  );
  expect(all).toEqual([[subjects[0]?.chain], [subjects[1]?.chain, subjects[2]?.chain]]);
  expect((await verify()).problems).toEqual([]);
});

test('what has expired is not missing, also after the retention was extended', async () => {
  const old = new Date(currentTime().getTime() - 40 * DAY_MS);
  const [partly, wholly, recent] = [aSubject(), aSubject(), aSubject()];
  await write(2, partly, old);
  await write(2, wholly, old);
  await write(2, recent);
  await anchorDays({ db, log }, tomorrow());
  await write(1, partly);
  await entries.deleteMany({ at: { $lt: new Date(currentTime().getTime() - 30 * DAY_MS) } });
  expect((await verify()).problems).not.toEqual([]);
  await keepLedger(db, 30);
  expect((await verify()).problems).toEqual([]);
  await keepLedger(db, 400);
  expect((await verify()).problems).toEqual([]);
  const ttl = (await entries.indexes()).find(({ name }) => name === 'expiry');
  expect(ttl?.expireAfterSeconds).toBe(400 * 24 * 3_600);
  await entries.deleteMany({ chain: recent.chain });
  expect((await verify()).problems).toEqual([[recent.chain, 2, 'missing']]);
});

test('entries about a post are listed for its business only', async () => {
  const subject = await write(3);
  const listed = await listEntriesOfPost(db, subject, undefined, 10);
  expect(listed.map(({ n }) => n)).toEqual([1, 2, 3]);
  expect(await listEntriesOfPost(db, { ...subject, businessId: 'other' }, undefined, 10)).toEqual([]);
  expect(await listEntriesOfPost(db, { ...subject, organizationId: newId() }, undefined, 10)).toEqual([]);
});

test('a cursor that is none is rejected', async () => {
  const request = { organizationId: undefined, postId: undefined, pageToken: 'nonsense' };
  await expect(verifyLedger(db, request, NO_DOCUMENTS)).rejects.toMatchObject({ code: 'invalid_request', param: 'cursor' });
});
