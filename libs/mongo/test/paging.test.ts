import { testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { after, jsonBytes, pageOf, pageWithin, parsePageToken } from '../src/index.ts';

interface Row {
  _id: string;
  created_at: Date;
}

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const rows = client.db(database).collection<Row>('rows');

beforeAll(() => client.connect());
afterAll(async () => {
  await client.db(database).dropDatabase();
  await client.close();
});

/** Reads a page like every list of ours. */
async function list(pageSize: number, token: string): Promise<{ ids: string[]; next: string }> {
  const found = await rows
    .find(after(parsePageToken(token, 'rows')))
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  const { rows: page, nextPageToken } = pageOf(found, pageSize, 'rows');
  return { ids: page.map(({ _id }) => _id), next: nextPageToken };
}

test('pages have each row once, newest first, while rows are added before, among and after them', async () => {
  // Several rows have the same millisecond, across page boundaries.
  const at = (n: number) => new Date(1_700_000_000_000 + Math.floor(n / 4));
  const id = (n: number) => `row-${String(n).padStart(2, '0')}`;
  const first = Array.from({ length: 25 }, (_, n) => ({ _id: id(n), created_at: at(n) }));
  await rows.insertMany(first);

  const seen: string[] = [];
  let token = '';
  let page = 0;
  do {
    const { ids, next } = await list(3, token);
    expect(ids.length).toBeLessThanOrEqual(3);
    seen.push(...ids);
    token = next;
    // One newer than all others, and one with the time of a row that was read already, but sorted before it.
    await rows.insertOne({ _id: `new-${page}`, created_at: new Date(1_800_000_000_000 + page) });
    await rows.insertOne({ _id: `${ids[0]}-twin`, created_at: at(Number(ids[0]?.slice(4))) });
    page++;
  } while (token !== '');

  expect(seen).toEqual(first.map(({ _id }) => _id).reverse());
});

test('the next page is right even if the last row of the page was deleted', async () => {
  await rows.deleteMany({});
  await rows.insertMany(['a', 'b', 'c', 'd'].map((_id) => ({ _id, created_at: new Date(0) })));
  const { ids, next } = await list(2, '');
  expect(ids).toEqual(['d', 'c']);
  await rows.deleteOne({ _id: 'c' });
  expect(await list(2, next)).toEqual({ ids: ['b', 'a'], next: '' });
});

describe('a page of large rows', () => {
  interface Big extends Row {
    text: string;
  }
  const big = client.db(database).collection<Big>('big');
  const fill = (texts: readonly string[]) =>
    big.insertMany(texts.map((text, n) => ({ _id: `row-${String(n).padStart(3, '0')}`, created_at: new Date(n), text })));
  const read = async (pageSize: number, token: string, maxBytes?: number) => {
    const find = big.find(after(parsePageToken(token, 'big'))).sort({ created_at: -1, _id: -1 });
    return pageWithin(find, pageSize, 'big', ({ text }) => jsonBytes(text), maxBytes);
  };
  const pages = async (pageSize: number, maxBytes?: number) => {
    const all: (readonly Big[])[] = [];
    let token = '';
    do {
      const { rows, nextPageToken } = await read(pageSize, token, maxBytes);
      all.push(rows);
      token = nextPageToken;
    } while (token !== '');
    return all;
  };
  beforeEach(() => big.deleteMany({}));

  test('ends before it exceeds 2 MiB of JSON, whatever its characters take', async () => {
    // 100 kB of JSON each: six, three and one bytes a character.
    const text = '\u0001'.repeat(10_000) + '漢'.repeat(10_000) + 'a'.repeat(10_000);
    await fill(Array.from({ length: 50 }, () => text));
    const all = await pages(100);
    for (const rows of all) expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(2 << 20);
    expect(all.map((rows) => rows.length)).toEqual([20, 20, 10]);
    expect(all.flat().map(({ _id }) => _id)).toEqual([...new Set(all.flat().map(({ _id }) => _id))].sort().reverse());
  });

  test('has a row that is too large by itself, alone', async () => {
    await fill(['a'.repeat(9_000), 'small', 'b'.repeat(9_000), 'c'.repeat(9_000)]);
    expect((await pages(10, 5_000)).map((rows) => rows.map(({ text }) => text[0]))).toEqual([['c'], ['b'], ['s'], ['a']]);
  });

  test('has at most the page size, and the last one has no token', async () => {
    await fill(['a', 'b', 'c', 'd']);
    expect((await pages(3)).map((rows) => rows.length)).toEqual([3, 1]);
    expect((await pages(2)).map((rows) => rows.length)).toEqual([2, 2]);
    await big.deleteMany({});
    expect(await read(2, '')).toEqual({ rows: [], nextPageToken: '' });
  });

  test('continues after the first batch, which MongoDB limits to 16 MiB', async () => {
    const text = 'x'.repeat(9 << 20);
    await fill([text, text, text]);
    expect((await pages(3, 100 << 20)).map((rows) => rows.length)).toEqual([3]);
  });
});

test('jsonBytes is never less than the JSON of a text', () => {
  for (const text of ['', 'a', '"', '\u0000', '漢', '🎺', '\ud800', 'é'.repeat(5_000), '\u0001'.repeat(5_000)]) {
    expect(jsonBytes(text)).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(text)));
  }
});

test('a late page reads as many rows as the first one', async () => {
  const many = client.db(database).collection<Row & { owner: string }>('many');
  await many.createIndex({ owner: 1, created_at: -1, _id: -1 });
  await many.insertMany(
    Array.from({ length: 3000 }, (_, n) => ({ _id: `row-${n}`, created_at: new Date(n - (n % 3)), owner: `o${n % 2}` })),
  );
  const position = { createdAt: new Date(30), id: 'row-31' };
  for (const owner of ['o1', { $in: ['o0', 'o1'] }]) {
    const { executionStats } = (await many
      .find({ owner, ...after(position) })
      .sort({ created_at: -1, _id: -1 })
      .limit(10)
      .explain('executionStats')) as { executionStats: { nReturned: number; totalKeysExamined: number; totalDocsExamined: number } };
    expect(executionStats.nReturned).toBe(10);
    expect(executionStats.totalKeysExamined).toBeLessThan(20);
    expect(executionStats.totalDocsExamined).toBeLessThan(20);
  }
});
