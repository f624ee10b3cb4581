import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { connectMongo, transaction, type Mongo } from '@fanfare/mongo';
import { createLogger, newId } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import fc from 'fast-check';
import { collectBlobs } from '../../src/blobs/collect-blobs.ts';
import type { Context } from '../../src/context.ts';
import { storeBytes } from '../../src/blobs/store-bytes.ts';
import { sweepUploads } from '../../src/blobs/sweep-uploads.ts';
import { createBlobRowIndexes, releaseBlob, markFreeBlobs, type BlobDocument } from '../../src/blobs/store/blob-rows.ts';
import { createGridFs, createGridFsIndexes } from '../../src/blobs/store/grid-fs.ts';
import { beginUpload, createUploadIndexes, finishUpload } from '../../src/blobs/store/uploads.ts';

/** A document that refers to a blob, in place of a media or derivative. */
interface Reference {
  _id: string;
  organization_id: string;
  blob_id: string;
  content: number;
}

const ORGANIZATIONS = ['one', 'two'];
const CONTENTS = [Buffer.from('a'), Buffer.from('bb'), Buffer.alloc(1_100_000, 'c')];
const NOW = 0;

let mongo: Mongo;
let directory: string;
let context: Pick<Context, 'blobs' | 'db' | 'transact' | 'log'>;

beforeAll(async () => {
  const { mongoUrl: url, database } = testInfrastructure();
  mongo = await connectMongo({ url, database, service: 'test' });
  await createGridFsIndexes(mongo.db);
  await createUploadIndexes(mongo.db);
  await createBlobRowIndexes(mongo.db);
  directory = await mkdtemp(path.join(os.tmpdir(), 'fanfare-test-'));
  for (const [index, content] of CONTENTS.entries()) await writeFile(path.join(directory, String(index)), content);
  const transact: Context['transact'] = (work) => transaction(mongo.client, work);
  context = { blobs: createGridFs(mongo.db), db: mongo.db, transact, log: createLogger('test', 'silent') };
});
afterAll(async () => {
  await mongo.db.dropDatabase();
  await mongo.close();
  await rm(directory, { recursive: true });
});

const references = () => mongo.db.collection<Reference>('references');

interface StoreOptions {
  staged?: boolean;
  fails?: boolean;
  /** Called before each transaction. */
  meanwhile?: () => Promise<unknown>;
}

async function store(organizationId: string, content: number, options: StoreOptions = {}): Promise<void> {
  const { db, blobs } = context;
  const id = newId();
  const stagedBlobId = options.staged === true ? newId() : undefined;
  if (stagedBlobId !== undefined) {
    await beginUpload(db, stagedBlobId, id, 60_000);
    await blobs.append(stagedBlobId, 0, Readable.from([CONTENTS[content]]));
  }
  const what = { organizationId, file: path.join(directory, String(content)), forId: id, stagedBlobId };
  const transact: Context['transact'] = async (work) => {
    await options.meanwhile?.();
    return context.transact(work);
  };
  const stored = storeBytes({ ...context, transact }, what, async (session, { blobId }) => {
    if (stagedBlobId !== undefined) await finishUpload(db, stagedBlobId, session);
    await references().insertOne({ _id: id, organization_id: organizationId, blob_id: blobId, content }, { session });
    if (options.fails === true) throw new Error('rejected');
  });
  if (options.fails !== true) return stored;
  await expect(stored).rejects.toThrow('rejected');
  if (stagedBlobId !== undefined)
    await db.collection<{ _id: string }>('uploads').updateOne({ _id: stagedBlobId }, { $set: { lease_until: new Date(0) } });
}

/** Deletes the n-th document, modulo their number. */
async function remove(n: number): Promise<void> {
  await context.transact(async (session) => {
    const all = await references().find({}, { session }).sort({ _id: 1 }).toArray();
    const one = all[n % Math.max(1, all.length)];
    if (!one) return;
    await references().deleteOne({ _id: one._id }, { session });
    const { blob_id: blobId, organization_id: organizationId, content } = one;
    await releaseBlob(context.db, { blobId, organizationId, sizeBytes: CONTENTS[content]?.length ?? 0 }, session);
  });
}

/** Removes the last reference, and stores the same bytes again while a collector is killed during their collection. */
async function comeBack(organizationId: string, content: number, collectorRemoves: boolean): Promise<void> {
  await store(organizationId, content);
  for (let all = await references().find().toArray(); ; all = await references().find().toArray()) {
    const at = all
      .sort((a, b) => (a._id < b._id ? -1 : 1))
      .findIndex((one) => one.organization_id === organizationId && one.content === content);
    if (at < 0) break;
    await remove(at);
  }
  await store(organizationId, content, { meanwhile: () => killedCollector(collectorRemoves) });
}

/** A process that is killed while it writes. */
async function killedStore(content: number): Promise<void> {
  const blobId = newId();
  await beginUpload(context.db, blobId, newId(), NOW);
  await context.blobs.append(blobId, 0, Readable.from([CONTENTS[content]]));
}

/** A collector that is killed after it marked blobs, or after it deleted some of them. */
async function killedCollector(removes: boolean): Promise<void> {
  const marked = await markFreeBlobs(context.db, 10, NOW);
  if (removes) for (const { _id } of marked) await context.blobs.remove(_id);
}

type Command = readonly [name: string, run: () => Promise<unknown>];
const organization = fc.constantFrom(...ORGANIZATIONS);
const content = fc.nat(CONTENTS.length - 1);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(organization, content).map(([o, c]): Command => [`store ${o} ${c}`, () => store(o, c)]) },
  {
    weight: 2,
    arbitrary: fc.tuple(organization, content).map(([o, c]): Command => [`staged ${o} ${c}`, () => store(o, c, { staged: true })]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(organization, content, fc.boolean())
      .map(([o, c, staged]): Command => [`rejected ${o} ${c} ${staged}`, () => store(o, c, { fails: true, staged })]),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(organization, content, fc.boolean())
      .map(([o, c, removes]): Command => [`come back ${o} ${c} ${removes}`, () => comeBack(o, c, removes)]),
  },
  { weight: 6, arbitrary: fc.nat(9).map((n): Command => [`delete ${n}`, () => remove(n)]) },
  { weight: 3, arbitrary: fc.constant<Command>(['collect', () => collectBlobs(context, 10, NOW)]) },
  { weight: 1, arbitrary: fc.constant<Command>(['sweep', () => sweepUploads(context)]) },
  { weight: 1, arbitrary: content.map((c): Command => [`killed store ${c}`, () => killedStore(c)]) },
  { weight: 1, arbitrary: fc.boolean().map((removes): Command => [`killed collector ${removes}`, () => killedCollector(removes)]) },
);
/** Rounds of concurrent commands. */
const rounds = fc.array(fc.array(command, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Every blob with a reference exists and is complete. */
async function expectInUseReadable(): Promise<void> {
  for (const { blob_id, content: index } of await references().find().toArray()) {
    const expected = CONTENTS[index] ?? Buffer.alloc(0);
    expect(digest(await buffer(context.blobs.read(blob_id, 0, expected.length - 1)))).toBe(digest(expected));
  }
}

/** No other blob exists, and the numbers of references are right. */
async function expectNothingElse(): Promise<void> {
  const { db } = context;
  const counts = new Map<string, number>();
  for (const { blob_id } of await references().find().toArray()) counts.set(blob_id, (counts.get(blob_id) ?? 0) + 1);
  const rows = await db.collection<BlobDocument>('blobs').find().toArray();
  expect(new Map(rows.map(({ _id, references: count }) => [_id, count]))).toEqual(counts);
  expect((await db.collection('blobs.files').distinct('_id')).sort()).toEqual([...counts.keys()].sort());
  expect((await db.collection('blobs.chunks').distinct('files_id')).sort()).toEqual([...counts.keys()].sort());
  expect(await db.collection('uploads').countDocuments()).toBe(0);
  expect(new Set(rows.map(({ organization_id, sha256 }) => `${organization_id} ${sha256}`)).size).toBe(rows.length);
}

test('the collector never deletes a blob in use, and finally deletes all others', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (commands) => {
      for (const round of commands) {
        await Promise.all(round.map(([, run]) => run()));
        await expectInUseReadable();
      }
      while ((await sweepUploads(context)) + (await collectBlobs(context, 10, NOW)) > 0);
      await expectInUseReadable();
      await expectNothingElse();
      while ((await references().countDocuments()) > 0) await remove(0);
      while ((await collectBlobs(context, 10, NOW)) > 0);
      await expectNothingElse();
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
