import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { newId } from '@fanfare/runtime';
import { OffsetConflict, type BlobStore } from '../../src/blobs/store/blob-store.ts';
import { STORES, type StoreUnderTest } from './blob-stores.ts';

const MIB = 1024 * 1024;

describe.each(Object.entries(STORES))('%s', (_name, start) => {
  let under: StoreUnderTest;
  let store: BlobStore;
  /** Shared by several read-only tests. */
  const large = { id: newId(), bytes: randomBytes(9 * MIB + 4) };
  beforeAll(async () => {
    under = await start();
    store = under.store;
    await store.write(large.id, inPieces(large.bytes));
  });
  afterAll(() => under.stop());

  const readAll = async (blobId: string) => buffer(store.read(blobId, 0, ((await store.size(blobId)) ?? 0) - 1));
  const rejected = (size: number | undefined) => expect.objectContaining({ name: OffsetConflict.name, size });

  test.each([0, 1, 1000, MIB - 1, MIB, MIB + 1, 8 * MIB, 21 * MIB + 7])('%i bytes are written and read back', async (sizeBytes) => {
    const [id, bytes] = [newId(), randomBytes(sizeBytes)];
    expect(await store.write(id, inPieces(bytes))).toBe(sizeBytes);
    expect(await store.size(id)).toBe(sizeBytes);
    expect(same(await readAll(id), bytes)).toBe(true);
  });

  test.each([
    [0, 0],
    [5, 5],
    [0, MIB],
    [MIB - 1, MIB],
    [MIB, 2 * MIB - 1],
    [3 * MIB + 5, 9 * MIB + 3],
    [9 * MIB + 3, 9 * MIB + 3],
  ])('bytes %i to %i', async (first, last) => {
    const part = await buffer(store.read(large.id, first, last));
    expect(same(part, large.bytes.subarray(first, last + 1))).toBe(true);
  });

  test('reading past the end, or a blob that does not exist, fails', async () => {
    const id = newId();
    await store.write(id, inPieces(randomBytes(1000)));
    await expect(buffer(store.read(id, 0, 1000))).rejects.toThrow();
    await expect(buffer(store.read(newId(), 0, 0))).rejects.toThrow();
    expect(await store.size(newId())).toBeUndefined();
  });

  test('a stored blob cannot be written again', async () => {
    const [id, bytes] = [newId(), randomBytes(1000)];
    await store.write(id, inPieces(bytes));
    await expect(store.write(id, inPieces(randomBytes(2000)))).rejects.toThrow();
    await expect(store.append(id, 1000, inPieces(bytes))).rejects.toThrow(rejected(1000));
    expect(same(await readAll(id), bytes)).toBe(true);
  });

  test.each([
    ['small', [1, 2, 0, 1000, 3]],
    ['around chunks', [MIB - 1, 1, 1, MIB, 2 * MIB - 1, 5]],
    ['large', [5 * MIB + 1, 3 * MIB, 8 * MIB, 100, 17 * MIB, 1]],
  ])('%s consecutive appends by any replica make one blob', async (_what, sizes) => {
    const [id, bytes] = [newId(), randomBytes(sum(sizes))];
    let offset = 0;
    for (const size of sizes) {
      expect(await under.replica().append(id, offset, inPieces(bytes.subarray(offset, offset + size)))).toBe(offset + size);
      offset += size;
      expect(await store.size(id)).toBe(offset);
    }
    expect(await under.replica().seal(id)).toBe(bytes.length);
    expect(await store.seal(id)).toBe(bytes.length);
    expect(same(await readAll(id), bytes)).toBe(true);
    expect(await under.remains(id)).toEqual({ unfinished: 0 });
  });

  test('an empty append, sealed, is an empty blob', async () => {
    const id = newId();
    expect(await store.append(id, 0, inPieces(Buffer.alloc(0)))).toBe(0);
    expect(await store.size(id)).toBe(0);
    expect(await store.seal(id)).toBe(0);
    expect(await readAll(id)).toHaveLength(0);
  });

  test('an append at an offset other than the end fails and changes nothing', async () => {
    const [id, bytes] = [newId(), randomBytes(2000)];
    await expect(store.append(id, 10, inPieces(bytes))).rejects.toThrow(rejected(undefined));
    await store.append(id, 0, inPieces(bytes));
    for (const offset of [0, 1999, 2001]) await expect(store.append(id, offset, inPieces(bytes))).rejects.toThrow(rejected(2000));
    await store.seal(id);
    expect(same(await readAll(id), bytes)).toBe(true);
  });

  test.each([500, 3 * MIB + 17, 9 * MIB + 1])(
    'an append that fails after %i bytes keeps them, and the next one continues there',
    async (brokenAt) => {
      const [id, bytes] = [newId(), randomBytes(12 * MIB)];
      await store.append(id, 0, inPieces(bytes.subarray(0, 100)));
      await expect(store.append(id, 100, breakingOff(bytes.subarray(100), brokenAt))).rejects.toThrow('broken off');
      const size = await store.size(id);
      expect(size).toBe(100 + brokenAt);
      expect(await store.append(id, size ?? 0, inPieces(bytes.subarray(size)))).toBe(bytes.length);
      await store.seal(id);
      expect(same(await readAll(id), bytes)).toBe(true);
    },
  );

  test.each([0, 10, 5 * MIB])('of several that append at %i one gets on', async (offset) => {
    const [id, beginning] = [newId(), randomBytes(offset)];
    await store.append(id, 0, inPieces(beginning));
    const theirs = Array.from({ length: 4 }, () => randomBytes(10 * MIB + 1));
    const outcomes = await Promise.allSettled(theirs.map((bytes) => under.replica().append(id, offset, inPieces(bytes))));
    const winners = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [index] : []));
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
    expect(winners).toHaveLength(1);
    expect(failures.map(({ name }) => name)).toEqual(Array(3).fill(OffsetConflict.name));
    await store.seal(id);
    const expected = Buffer.concat([beginning, theirs[winners[0] ?? -1] ?? Buffer.alloc(0)]);
    expect(same(await readAll(id), expected)).toBe(true);
  });

  test('a writer that another one overtook fails at its next byte', async () => {
    const [id, bytes] = [newId(), randomBytes(30 * MIB)];
    let goOn = () => {};
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    const slow = store.append(
      id,
      0,
      (async function* () {
        yield bytes.subarray(0, 100);
        await waits;
        yield bytes.subarray(100);
      })(),
    );
    await under.replica().append(id, 0, inPieces(bytes.subarray(0, 200)));
    goOn();
    await expect(slow).rejects.toThrow(rejected(200));
    expect(await store.size(id)).toBe(200);
  });

  test('remove deletes everything of a complete blob, an incomplete one, and one that does not exist', async () => {
    const [whole, half] = [newId(), newId()];
    await store.write(whole, inPieces(randomBytes(9 * MIB)));
    await store.append(half, 0, inPieces(randomBytes(13 * MIB)));
    for (const id of [whole, half, newId()]) {
      await store.remove(id);
      await store.remove(id);
      expect(await store.size(id)).toBeUndefined();
      expect(await under.remains(id)).toEqual({ unfinished: 0 });
    }
    await expect(store.append(half, 13 * MIB, inPieces(randomBytes(10)))).rejects.toThrow(rejected(undefined));
  });

  test('a writer whose blob is removed fails and leaves nothing', async () => {
    const id = newId();
    const pieces = (async function* () {
      yield randomBytes(9 * MIB);
      await store.remove(id);
      yield randomBytes(9 * MIB);
    })();
    await expect(store.write(id, pieces)).rejects.toThrow(rejected(undefined));
    expect(await store.size(id)).toBeUndefined();
    expect(await under.remains(id)).toEqual({ unfinished: 0 });
  });

  test('an aborted write ends, even if its source is idle', async () => {
    const id = newId();
    const silent = new Readable({ read: () => undefined });
    silent.push(randomBytes(1000));
    const aborting = new AbortController();
    const write = store.write(id, silent, { signal: aborting.signal });
    aborting.abort();
    await expect(write).rejects.toThrow('aborted');
    expect(silent.destroyed).toBe(true);
    await store.remove(id);
    expect(await under.remains(id)).toEqual({ unfinished: 0 });
  });
});

/** Pieces of a size as sockets deliver them. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  const size = 65_537;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* breakingOff(bytes: Buffer, after: number): AsyncGenerator<Buffer> {
  yield* inPieces(bytes.subarray(0, after));
  throw new Error('broken off');
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Because Jest takes seconds to compare and print megabytes. */
const same = (left: Buffer, right: Buffer) => left.length === right.length && digest(left) === digest(right);
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
