import { newId } from '@fanfare/runtime';
import { aBusiness, BAD_NAMES, documentsOf, outcomes, type Documents } from './documents.ts';
import { aJpeg, startLibrary, type TestLibrary } from './start-library.ts';

let library: TestLibrary;
/** On the same database: what one process does in turn, two do at once. */
let replica: TestLibrary;
let call: ReturnType<typeof aBusiness>;
let documents: Documents;
let others: Documents;

beforeAll(async () => {
  library = await startLibrary();
  replica = await startLibrary({ database: library.context.db.databaseName });
});
afterAll(async () => {
  await replica.stop({ keepData: true });
  await library.stop();
});
beforeEach(() => {
  call = aBusiness();
  documents = documentsOf(library, call);
  others = documentsOf(replica, call);
});

const names = async (folderId?: string) => (await documents.listFolders(folderId)).folders.map(({ name }) => name);
/** A folder in a folder, and so on; the last one. */
async function nested(levels: number, parentId?: string): Promise<string> {
  let id = parentId;
  for (let level = 0; level < levels; level++) ({ id } = await documents.createFolder(`level ${level}`, id));
  return id as string;
}

test('a folder is created, read, listed in its folder, renamed and deleted', async () => {
  const brand = await documents.createFolder('Brand');
  expect(brand).toMatchObject({ name: 'Brand', path: '/Brand', parentId: undefined, businessId: call.metadata.businessId, revision: 1 });
  const voice = await documents.createFolder('Voice', brand.id);
  expect(voice).toMatchObject({ path: '/Brand/Voice', parentId: brand.id });
  expect(await documents.getFolder(voice.id)).toEqual(voice);
  expect([await names(), await names(brand.id), await names(voice.id)]).toEqual([['Brand'], ['Voice'], []]);

  const renamed = await documents.updateFolder(brand.id, { name: 'House' });
  expect(renamed).toMatchObject({ name: 'House', path: '/House', revision: 2, createdAt: brand.createdAt });
  expect(await documents.getFolder(voice.id)).toEqual({ ...voice, path: '/House/Voice' });

  await documents.deleteFolder(voice.id);
  await expect(documents.getFolder(voice.id)).rejects.toMatchObject({ code: 'resource_not_found' });
  expect(await names(brand.id)).toEqual([]);
});

test('lists are newest first and go on where the page before ended', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await documents.createFolder(name);
  const first = await documents.listFolders(undefined, { pageSize: 3 });
  expect(first.folders.map(({ name }) => name)).toEqual(['e', 'd', 'c']);
  await documents.createFolder('f');
  const second = await documents.listFolders(undefined, { pageSize: 3, pageToken: first.nextPageToken });
  expect(second.folders.map(({ name }) => name)).toEqual(['b', 'a']);
  expect(second.nextPageToken).toBe('');
});

test('a cursor is good for its own list alone', async () => {
  const { id } = await documents.createFolder('a');
  await documents.createFolder('b');
  const { nextPageToken: pageToken } = await documents.listFolders(undefined, { pageSize: 1 });
  const refused = { code: 'invalid_request', param: 'cursor' };
  await expect(documents.listFolders(id, { pageToken })).rejects.toMatchObject(refused);
  await expect(documents.listFiles(undefined, { pageToken })).rejects.toMatchObject(refused);
  await expect(documentsOf(library, aBusiness()).listFolders(undefined, { pageToken })).rejects.toMatchObject(refused);
});

describe('names', () => {
  test('stand once in a folder, in any case and however they are encoded, folders and files together', async () => {
    const { id } = await documents.createFolder('Café');
    await documents.createFile('Menu', '');
    for (const taken of ['café', 'CAFÉ', 'Cafe\u0301', 'menu', 'MENU']) {
      const refused = { code: 'invalid_value', param: 'name' };
      await expect(documents.createFolder(taken)).rejects.toMatchObject(refused);
      await expect(documents.createFile(taken)).rejects.toMatchObject(refused);
    }
    await expect(documents.createFolder('Café', id)).resolves.toMatchObject({ path: '/Café/Café' });
  });

  test('are taken by nothing in another business, nor by what is deleted', async () => {
    const { id } = await documents.createFolder('Brand');
    await documentsOf(library, aBusiness()).createFolder('Brand');
    await documents.deleteFolder(id);
    await documents.createFile('brand');
  });

  test('may change their case', async () => {
    const { id } = await documents.createFolder('brand');
    expect(await documents.updateFolder(id, { name: 'BRAND' })).toMatchObject({ name: 'BRAND' });
  });

  test('are given once, however many ask at once', async () => {
    const all = ['x', 'X', 'x', 'X', 'x', 'X'].map((name, at) => (at % 2 ? documents.createFolder(name) : others.createFile(name)));
    expect(await outcomes(all)).toEqual(['done', ...Array(5).fill('invalid_value')]);
  });

  test('that are taken refuse a rename and a move, naming what was asked for', async () => {
    const a = await documents.createFolder('a');
    const b = await documents.createFolder('b');
    const inner = await documents.createFolder('B', a.id);
    await expect(documents.updateFolder(a.id, { name: 'B' })).rejects.toMatchObject({ code: 'invalid_value', param: 'name' });
    await expect(documents.updateFolder(inner.id, { parentId: '' })).rejects.toMatchObject({ code: 'invalid_value', param: 'parent_id' });
    expect(await documents.updateFolder(inner.id, { parentId: b.id })).toMatchObject({ path: '/b/B' });
  });

  test.each(BAD_NAMES)('cannot be %s', async (_what, name) => {
    const { id } = await documents.createFolder('a');
    const refused = { code: 'invalid_value', param: 'name' };
    await expect(documents.createFolder(name)).rejects.toMatchObject(refused);
    await expect(documents.updateFolder(id, { name })).rejects.toMatchObject(refused);
    expect(await names()).toEqual(['a']);
  });
});

describe('moving', () => {
  test('goes anywhere but into itself and what is in it', async () => {
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

  test('goes to no folder that this business has not', async () => {
    const { id } = await documents.createFolder('a');
    const sibling = documentsOf(library, aBusiness({ organizationId: call.metadata.organizationId }));
    const file = await documents.createFile('file');
    const elsewhere = [(await sibling.createFolder('x')).id, (await documentsOf(library, aBusiness()).createFolder('x')).id];
    const deleted = await documents.createFolder('gone');
    await documents.deleteFolder(deleted.id);
    for (const parentId of [newId(), 'nonsense', file.id, deleted.id, ...elsewhere]) {
      const refused = { code: 'invalid_value', param: 'parent_id' };
      await expect(documents.updateFolder(id, { parentId })).rejects.toMatchObject(refused);
      await expect(documents.createFolder('b', parentId)).rejects.toMatchObject(refused);
      await expect(documents.createFile('b', '', parentId)).rejects.toMatchObject(refused);
    }
    expect(await documents.getFolder(id)).toMatchObject({ parentId: undefined, revision: 1 });
  });

  test('makes no ring, also when two moves at once would together', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = await Promise.all([documents.createFolder(`a${round}`), documents.createFolder(`b${round}`)]);
      const both = [documents.updateFolder(a.id, { parentId: b.id }), others.updateFolder(b.id, { parentId: a.id })];
      expect(await outcomes(both)).toEqual(['done', 'invalid_value']);
      const paths = [(await documents.getFolder(a.id)).path, (await documents.getFolder(b.id)).path].sort((x, y) => x.length - y.length);
      expect([`/a${round},/a${round}/b${round}`, `/b${round},/b${round}/a${round}`]).toContain(paths.join());
    }
  });

  test('makes no ring of three', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => documents.createFolder(name)));
    const move = (by: Documents, from?: { id: string }, to?: { id: string }) => by.updateFolder(from?.id ?? '', { parentId: to?.id ?? '' });
    expect(await outcomes([move(documents, a, b), move(others, b, c), move(documents, c, a)])).toEqual(['done', 'done', 'invalid_value']);
  });
});

describe('depth', () => {
  test('is twenty folders', async () => {
    const last = await nested(20);
    const refused = { code: 'invalid_value', param: 'parent_id' };
    await expect(documents.createFolder('one more', last)).rejects.toMatchObject(refused);
    const file = await documents.createFile('deep.md', 'x', last);
    expect(file.path.split('/')).toHaveLength(22);

    const other = await documents.createFolder('other');
    await documents.createFolder('inner', other.id);
    await expect(documents.updateFolder(other.id, { parentId: last })).rejects.toMatchObject(refused);
    const { parentId: nineteenth } = await documents.getFolder(last);
    await expect(documents.updateFolder(other.id, { parentId: nineteenth as string })).rejects.toMatchObject(refused);
    const { parentId: eighteenth } = await documents.getFolder(nineteenth as string);
    expect(await documents.updateFolder(other.id, { parentId: eighteenth as string })).toMatchObject({ parentId: eighteenth });
  });

  test('is not passed by a move and a creation at once', async () => {
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

test('renames and moves are one write, also with ten thousand files below', async () => {
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
  // The folder itself, and the one that it goes into.
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

describe('deleting', () => {
  test('is refused while there is a file, a folder or a media in it', async () => {
    const { id } = await documents.createFolder('a');
    const refused = { code: 'invalid_request' };
    const file = await documents.createFile('x', '', id);
    await expect(documents.deleteFolder(id)).rejects.toMatchObject(refused);
    await documents.deleteFile(file.id);
    const inner = await documents.createFolder('x', id);
    await expect(documents.deleteFolder(id)).rejects.toMatchObject(refused);
    await documents.updateFolder(inner.id, { parentId: '' });

    const mediaId = newId();
    await library.upload(mediaId, await aJpeg(), { call: call.metadata });
    await library.context.db.collection('media').updateOne({ _id: mediaId as never }, { $set: { folder_id: id } });
    await expect(documents.deleteFolder(id)).rejects.toMatchObject(refused);
    await library.context.db.collection('media').updateOne({ _id: mediaId as never }, { $set: { deleted: true } });
    await documents.deleteFolder(id);
    await expect(documents.getFolder(id)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('and putting something in at once: one of the two wins, and nothing is left in a folder that is gone', async () => {
    for (let round = 0; round < 15; round++) {
      const { id } = await documents.createFolder(`folder ${round}`);
      const loose = await documents.createFolder(`loose ${round}`);
      const put = [
        () => others.createFile('x', 'x', id),
        () => others.createFolder('x', id),
        () => others.updateFolder(loose.id, { parentId: id }),
      ][round % 3];
      const [deleted, made] = await Promise.allSettled([documents.deleteFolder(id), put?.()]);
      expect([deleted.status, made.status].sort()).toEqual(['fulfilled', 'rejected']);
      const reason = (deleted.status === 'rejected' ? deleted.reason : (made as PromiseRejectedResult).reason) as { code: string };
      expect(reason.code).toBe(deleted.status === 'rejected' ? 'invalid_request' : 'invalid_value');
      const within = await library.context.db.collection('nodes').countDocuments({ parent_id: id, deleted: false });
      expect(within).toBe(deleted.status === 'rejected' ? 1 : 0);
    }
  });
});

describe('what is asked for twice', () => {
  test('is done once, and answered alike', async () => {
    const folderId = newId();
    const twice = await Promise.all([documents.createFolder('a', undefined, folderId), others.createFolder('a', undefined, folderId)]);
    expect(twice[1]).toEqual(twice[0]);

    const rename = { operationId: newId(), expectedRevisions: [1] };
    const renamed = await documents.updateFolder(folderId, { name: 'b' }, rename);
    expect(await documents.updateFolder(folderId, { name: 'b' }, rename)).toEqual(renamed);
    expect(renamed.revision).toBe(2);

    const deletion = { operationId: newId(), expectedRevisions: [2] };
    await documents.deleteFolder(folderId, deletion);
    await documents.deleteFolder(folderId, deletion);
    await expect(documents.deleteFolder(folderId)).rejects.toMatchObject({ code: 'resource_not_found' });
    expect(await documents.updateFolder(folderId, { name: 'b' }, rename)).toMatchObject({ id: folderId });
  });

  test('is refused when the revision is another', async () => {
    const { id } = await documents.createFolder('a');
    const stale = { expectedRevisions: [7] };
    await expect(documents.updateFolder(id, { name: 'b' }, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
    await expect(documents.deleteFolder(id, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
    await expect(documents.updateFolder(id, {})).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await names()).toEqual(['a']);
  });
});

test('a folder of another organization is refused, one of another business of the own is not found', async () => {
  const foreign = await documentsOf(library, aBusiness()).createFolder('x');
  const sibling = await documentsOf(library, aBusiness({ organizationId: call.metadata.organizationId })).createFolder('x');
  const file = await documents.createFile('file');
  for (const [id, code] of [
    [foreign.id, 'permission_denied'],
    [sibling.id, 'resource_not_found'],
    [newId(), 'resource_not_found'],
    [file.id, 'resource_not_found'],
  ] as const) {
    await expect(documents.getFolder(id)).rejects.toMatchObject({ code });
    await expect(documents.updateFolder(id, { name: 'y' })).rejects.toMatchObject({ code });
    await expect(documents.deleteFolder(id)).rejects.toMatchObject({ code });
    const toList = { code: code === 'permission_denied' ? code : 'invalid_value', param: 'folder_id' };
    await expect(documents.listFolders(id)).rejects.toMatchObject(toList);
    await expect(documents.listFiles(id)).rejects.toMatchObject(toList);
  }
});
