import { currentTime, newId } from '@fanfare/runtime';
import { recordLog, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import {
  anchorDays,
  chained,
  createBusinessIndex,
  createLedgerIndexes,
  eraseChains,
  keepLedger,
  recordEntries,
  verifyLedger,
  type EntryDocument,
  type Subject,
} from '../src/index.ts';

const NO_DOCUMENTS = { of: async () => [], page: async () => ({ witnesses: [], nextAfter: undefined }) };

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const entries = db.collection<EntryDocument>('ledger');
const anchors = db.collection<EntryDocument>('ledger_anchors');
const { log, lines } = recordLog();
const DAY_MS = 24 * 3_600_000;
const inDays = (days: number) => new Date(currentTime().getTime() + days * DAY_MS);

beforeAll(async () => {
  await client.connect();
  await createLedgerIndexes(db);
  await createBusinessIndex(db);
  await keepLedger(db, 400);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

/** Writes chains of a business. */
async function write(organizationId: string, businessId: string, chains: number, entriesEach: number): Promise<Subject[]> {
  const subjects = Array.from({ length: chains }, () => {
    const chain = newId();
    return { chain, postId: chain, organizationId, businessId };
  });
  const facts = Array.from({ length: entriesEach }, () => ({ kind: 'edited', actor: 'key:1' }));
  const recorded = subjects.map((subject) => ({ subject, links: chained(subject, undefined, facts, currentTime()).links }));
  await client.withSession((session) => session.withTransaction(() => recordEntries(db, recorded, session)));
  return subjects;
}

async function problems(organizationId: string) {
  const found = [];
  for (let pageToken: string | undefined; pageToken !== '';) {
    const page = await verifyLedger(db, { organizationId, postId: undefined, pageToken: pageToken ?? '' }, NO_DOCUMENTS);
    found.push(...page.problems);
    pageToken = page.nextPageToken;
  }
  return found;
}

async function erase(organizationId: string, businessIds: string[], wholeOrganization = false): Promise<void> {
  while ((await eraseChains({ db, log }, { organizationId, businessIds, wholeOrganization }, 7)) > 0);
}

test('chains of an erased business are erased, and nothing is reported missing', async () => {
  const organizationId = newId();
  const [erased, kept] = [newId(), newId()];
  await write(organizationId, erased, 12, 3);
  await write(organizationId, kept, 3, 3);
  await anchorDays({ db, log }, inDays(1));
  await erase(organizationId, [erased]);
  expect(await entries.countDocuments({ business_id: erased })).toBe(0);
  expect(await entries.countDocuments({ business_id: kept })).toBe(9);
  expect(await problems(organizationId)).toEqual([]);
  // Whoever erases must leave a record that is logged, too.
  expect(lines.filter(({ msg }) => msg === 'timelines erased').length).toBeGreaterThan(0);

  // The next anchors continue the chain after the records.
  await write(organizationId, kept, 2, 2);
  await entries.updateMany({ business_id: kept, n: 1 }, { $set: { recorded_at: inDays(1) } });
  await anchorDays({ db, log }, inDays(2));
  expect(await problems(organizationId)).toEqual([]);
});

test('what was deleted without a record is missing, and a record cannot be changed', async () => {
  const organizationId = newId();
  const [erased, deleted] = [newId(), newId()];
  await write(organizationId, erased, 2, 2);
  const [victim] = await write(organizationId, deleted, 1, 2);
  await entries.updateMany({ organization_id: organizationId }, { $set: { recorded_at: inDays(3) } });
  await anchorDays({ db, log }, inDays(4));
  await erase(organizationId, [erased]);
  await entries.deleteMany({ business_id: deleted });
  expect(await problems(organizationId)).toMatchObject([{ chain: victim?.chain, problem: 'missing' }]);

  const [record] = await anchors.find({ organization_id: organizationId, kind: 'erased' }).toArray();
  await anchors.updateOne({ _id: record?._id ?? '' }, { $push: { 'details.chains': victim?.chain } as never });
  expect(await problems(organizationId)).toMatchObject([{ problem: 'changed', position: record?.n }]);
});

test('nothing is left of an erased organization', async () => {
  const organizationId = newId();
  const [first, second] = [newId(), newId()];
  await write(organizationId, first, 5, 2);
  await write(organizationId, second, 5, 2);
  await entries.updateMany({ organization_id: organizationId }, { $set: { recorded_at: inDays(5) } });
  await anchorDays({ db, log }, inDays(6));
  expect(await anchors.countDocuments({ organization_id: organizationId })).toBe(1);
  await erase(organizationId, [first, second], true);
  expect(await entries.countDocuments({ organization_id: organizationId })).toBe(0);
  expect(await anchors.countDocuments({ organization_id: organizationId })).toBe(0);
});
