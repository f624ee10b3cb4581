import { testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { after, pageOf, parsePageToken } from '../src/index.ts';

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

/** Reads a page as every list of ours does. */
async function list(pageSize: number, token: string): Promise<{ ids: string[]; next: string }> {
  const found = await rows
    .find(after(parsePageToken(token, 'rows')))
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  const { rows: page, nextPageToken } = pageOf(found, pageSize, 'rows');
  return { ids: page.map(({ _id }) => _id), next: nextPageToken };
}

test('pages hold each row once, newest first, while rows are added before, among and after them', async () => {
  // Several at the same millisecond, across the ends of pages.
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
    // Newer than everything, and as old as a row that was seen but sorted before it.
    await rows.insertOne({ _id: `new-${page}`, created_at: new Date(1_800_000_000_000 + page) });
    await rows.insertOne({ _id: `${ids[0]}-twin`, created_at: at(Number(ids[0]?.slice(4))) });
    page++;
  } while (token !== '');

  expect(seen).toEqual(first.map(({ _id }) => _id).reverse());
});

test('a row that was deleted since does not lose the place', async () => {
  await rows.deleteMany({});
  await rows.insertMany(['a', 'b', 'c', 'd'].map((_id) => ({ _id, created_at: new Date(0) })));
  const { ids, next } = await list(2, '');
  expect(ids).toEqual(['d', 'c']);
  await rows.deleteOne({ _id: 'c' });
  expect(await list(2, next)).toEqual({ ids: ['b', 'a'], next: '' });
});
