import { newId } from '@fanfare/runtime';
import { aBusiness, documentsOf, outcomes, type Documents } from './documents.ts';
import { startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
/** A second library on the same database, because one process serializes its transactions. */
let replica: TestLibrary;
let call: ReturnType<typeof aBusiness>;
let documents: Documents;
let others: Documents;

beforeAll(async () => {
  library = await startLibrary();
  replica = await startLibrary({ database: library.context.db.databaseName });
});
afterAll(async () => {
  await replica.stop();
  await library.stop();
});
beforeEach(() => {
  call = aBusiness();
  documents = documentsOf(library, call);
  others = documentsOf(replica, call);
});

/** Creates nested folders; returns the deepest one. */
async function nested(levels: number, parentId?: string): Promise<string> {
  let id = parentId;
  for (let level = 0; level < levels; level++) ({ id } = await documents.createFolder(`level ${level}`, id));
  return id as string;
}

describe('moving', () => {
  test('is possible to any folder, except into itself or a folder below it', async () => {
    const a = await documents.createFolder('a');
    const b = await documents.createFolder('b', a.id);
    const c = await documents.createFolder('c', b.id);
    for (const parentId of [a.id, b.id, c.id]) {
      await expect(documents.updateFolder(a.id, { parentId })).rejects.toMatchObject({ code: 'invalid_value', param: 'parent_id' });
    }
    expect(await documents.updateFolder(c.id, { parentId: '' })).toMatchObject({ path: '/c', parentId: undefined });
    expect(await documents.updateFolder(a.id, { parentId: c.id, name: 'A' })).toMatchObject({ path: '/c/A', parentId: c.id });
    expect(await documents.getFolder(b.id)).toMatchObject({ path: '/c/A/b' });
  });

  test('is not possible to a folder that this business does not have', async () => {
    const { id } = await documents.createFolder('a');
    const sibling = documentsOf(library, aBusiness({ organizationId: call.metadata.organizationId }));
    const file = await documents.createFile('file');
    const elsewhere = [(await sibling.createFolder('x')).id, (await documentsOf(library, aBusiness()).createFolder('x')).id];
    const deleted = await documents.createFolder('deleted');
    await documents.deleteFolder(deleted.id);
    for (const parentId of [newId(), 'nonsense', file.id, deleted.id, ...elsewhere]) {
      const rejected = { code: 'invalid_value', param: 'parent_id' };
      await expect(documents.updateFolder(id, { parentId })).rejects.toMatchObject(rejected);
      await expect(documents.createFolder('b', parentId)).rejects.toMatchObject(rejected);
      await expect(documents.createFile('b', '', parentId)).rejects.toMatchObject(rejected);
    }
    expect(await documents.getFolder(id)).toMatchObject({ parentId: undefined, revision: 1 });
  });

  test('makes no cycle, even by two concurrent moves', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = await Promise.all([documents.createFolder(`a${round}`), documents.createFolder(`b${round}`)]);
      const both = [documents.updateFolder(a.id, { parentId: b.id }), others.updateFolder(b.id, { parentId: a.id })];
      expect(await outcomes(both)).toEqual(['done', 'invalid_value']);
      const paths = [(await documents.getFolder(a.id)).path, (await documents.getFolder(b.id)).path].sort((x, y) => x.length - y.length);
      expect([`/a${round},/a${round}/b${round}`, `/b${round},/b${round}/a${round}`]).toContain(paths.join());
    }
  });

  test('makes no cycle of three folders', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => documents.createFolder(name)));
    const move = (by: Documents, from?: { id: string }, to?: { id: string }) => by.updateFolder(from?.id ?? '', { parentId: to?.id ?? '' });
    expect(await outcomes([move(documents, a, b), move(others, b, c), move(documents, c, a)])).toEqual(['done', 'done', 'invalid_value']);
  });
});

describe('depth', () => {
  test('is at most twenty levels', async () => {
    const last = await nested(20);
    const rejected = { code: 'invalid_value', param: 'parent_id' };
    await expect(documents.createFolder('one more', last)).rejects.toMatchObject(rejected);
    const file = await documents.createFile('deep.md', 'x', last);
    expect(file.path.split('/')).toHaveLength(22);

    const other = await documents.createFolder('other');
    await documents.createFolder('inner', other.id);
    await expect(documents.updateFolder(other.id, { parentId: last })).rejects.toMatchObject(rejected);
    const { parentId: nineteenth } = await documents.getFolder(last);
    await expect(documents.updateFolder(other.id, { parentId: nineteenth as string })).rejects.toMatchObject(rejected);
    const { parentId: eighteenth } = await documents.getFolder(nineteenth as string);
    expect(await documents.updateFolder(other.id, { parentId: eighteenth as string })).toMatchObject({ parentId: eighteenth });
  });

  test('is not exceeded by a concurrent move and creation', async () => {
    for (let round = 0; round < 5; round++) {
      const [deep, moved] = [
        await nested(10, (await documents.createFolder(`round ${round}`)).id),
        await documents.createFolder(`moved ${round}`),
      ];
      const bottom = await nested(8, moved.id);
      const both = [documents.updateFolder(moved.id, { parentId: deep }), others.createFolder('one more', bottom)];
      expect(await outcomes(both)).toEqual(['done', 'invalid_value']);
    }
  });
});

test('renames and moves are one write, even with ten thousand files below', async () => {
  const top = await documents.createFolder('top');
  const below = await nested(3, top.id);
  const file = await documents.createFile('first.md', 'x', below);
  const { db } = library.context;
  const [one] = await db
    .collection('nodes')
    .find({ _id: file.id as never })
    .toArray();
  const files = Array.from({ length: 10_000 }, (_, at) => ({ ...one, _id: newId() as never, name: `${at}.md`, name_key: `${at}.md` }));
  await db.collection('nodes').insertMany(files);
  const untouched = { ...one, _id: files[5_000]?._id };

  const written = async (work: () => Promise<unknown>) => {
    await db.command({ profile: 2 });
    await work();
    await db.command({ profile: 0 });
    const profile = db.collection('system.profile');
    const [sum] = await profile
      .aggregate([
        { $match: { ns: `${db.databaseName}.nodes` } },
        { $group: { _id: null, written: { $sum: '$nModified' }, looked: { $sum: '$docsExamined' } } },
      ])
      .toArray();
    await profile.drop();
    return sum as { written: number; looked: number };
  };
  expect(await written(() => documents.updateFolder(top.id, { name: 'Top' }))).toMatchObject({ written: 1 });
  const other = await documents.createFolder('other');
  // The folder itself, and its new parent.
  const moved = await written(() => documents.updateFolder(top.id, { parentId: other.id }));
  expect(moved.written).toBeLessThanOrEqual(2);
  expect(moved.looked).toBeLessThan(100);

  expect(await documents.getFile(file.id)).toMatchObject({ path: '/other/Top/level 0/level 1/level 2/first.md', revision: 1 });
  expect(await db.collection('nodes').findOne({ _id: files[5_000]?._id as never })).toMatchObject({
    ...untouched,
    name: '5000.md',
    name_key: '5000.md',
  });
});
