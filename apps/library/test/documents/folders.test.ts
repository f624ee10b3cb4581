import { newId } from '@fanfare/runtime';
import { renewNameKeys } from '../../src/documents/store/renew-name-keys.ts';
import { aBusiness, BAD_NAMES, documentsOf, outcomes, type Documents } from './documents.ts';
import { aJpeg, startLibrary, type TestLibrary } from '../start-library.ts';

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

const names = async (folderId?: string) => (await documents.listFolders(folderId)).folders.map(({ name }) => name);
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

test('lists are newest first, and a page continues where the previous one ended', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await documents.createFolder(name);
  const first = await documents.listFolders(undefined, { pageSize: 3 });
  expect(first.folders.map(({ name }) => name)).toEqual(['e', 'd', 'c']);
  await documents.createFolder('f');
  const second = await documents.listFolders(undefined, { pageSize: 3, pageToken: first.nextPageToken });
  expect(second.folders.map(({ name }) => name)).toEqual(['b', 'a']);
  expect(second.nextPageToken).toBe('');
});

test('a cursor works only for its own list', async () => {
  const { id } = await documents.createFolder('a');
  await documents.createFolder('b');
  const { nextPageToken: pageToken } = await documents.listFolders(undefined, { pageSize: 1 });
  const rejected = { code: 'invalid_request', param: 'cursor' };
  await expect(documents.listFolders(id, { pageToken })).rejects.toMatchObject(rejected);
  await expect(documents.listFiles(undefined, { pageToken })).rejects.toMatchObject(rejected);
  await expect(documentsOf(library, aBusiness()).listFolders(undefined, { pageToken })).rejects.toMatchObject(rejected);
});

describe('names', () => {
  test('are unique among the files and folders of a folder, whatever their case and encoding', async () => {
    const { id } = await documents.createFolder('Café');
    await documents.createFile('Menu', '');
    for (const taken of ['café', 'CAFÉ', 'Cafe\u0301', 'menu', 'MENU']) {
      const rejected = { code: 'invalid_value', param: 'name' };
      await expect(documents.createFolder(taken)).rejects.toMatchObject(rejected);
      await expect(documents.createFile(taken)).rejects.toMatchObject(rejected);
    }
    await expect(documents.createFolder('Café', id)).resolves.toMatchObject({ path: '/Café/Café' });
  });

  test('are the same if their letters are equal in only one case', async () => {
    await documents.createFolder('Straße');
    await documents.createFile('\u017ftar');
    for (const taken of ['STRASSE', 'strasse', 'STRA\u1e9eE', 'star', 'STAR']) {
      await expect(documents.createFolder(taken)).rejects.toMatchObject({ code: 'invalid_value', param: 'name' });
    }
  });

  test('of earlier versions get new keys, except one of two that would have the same', async () => {
    const rows = library.context.db.collection<{ _id: string; name_key: string }>('nodes');
    const key = async (id: string) => (await rows.findOne({ _id: id }))?.name_key;
    const alone = await documents.createFile('Gruß');
    const [older, younger] = [await documents.createFolder('weiß'), await documents.createFolder('to be')];
    const before = [
      { _id: alone.id, name_key: 'gruß' },
      { _id: older.id, name_key: 'weiß' },
      { _id: younger.id, name: 'WEISS', name_key: 'weiss' },
    ];
    for (const { _id, ...fields } of before) await rows.updateOne({ _id }, { $set: fields });

    for (let time = 0; time < 2; time++) {
      await renewNameKeys(library.context.db);
      expect([await key(alone.id), await key(older.id), await key(younger.id)]).toEqual(['gruss', 'weiß', 'weiss']);
    }
    expect(new Set(await names())).toEqual(new Set(['weiß', 'WEISS']));
    await expect(documents.createFolder('Weiß')).rejects.toMatchObject({ code: 'invalid_value', param: 'name' });
  });

  test('may be in use in another business, or by a deleted folder', async () => {
    const { id } = await documents.createFolder('Brand');
    await documentsOf(library, aBusiness()).createFolder('Brand');
    await documents.deleteFolder(id);
    await documents.createFile('brand');
  });

  test('can change only their case', async () => {
    const { id } = await documents.createFolder('brand');
    expect(await documents.updateFolder(id, { name: 'BRAND' })).toMatchObject({ name: 'BRAND' });
  });

  test('are used once by concurrent requests', async () => {
    const all = ['x', 'X', 'x', 'X', 'x', 'X'].map((name, at) => (at % 2 ? documents.createFolder(name) : others.createFile(name)));
    expect(await outcomes(all)).toEqual(['done', ...Array(5).fill('invalid_value')]);
  });

  test('that are in use reject a rename and a move, with the changed parameter', async () => {
    const a = await documents.createFolder('a');
    const b = await documents.createFolder('b');
    const inner = await documents.createFolder('B', a.id);
    await expect(documents.updateFolder(a.id, { name: 'B' })).rejects.toMatchObject({ code: 'invalid_value', param: 'name' });
    await expect(documents.updateFolder(inner.id, { parentId: '' })).rejects.toMatchObject({ code: 'invalid_value', param: 'parent_id' });
    expect(await documents.updateFolder(inner.id, { parentId: b.id })).toMatchObject({ path: '/b/B' });
  });

  test.each(BAD_NAMES)('cannot be %s', async (_what, name) => {
    const { id } = await documents.createFolder('a');
    const rejected = { code: 'invalid_value', param: 'name' };
    await expect(documents.createFolder(name)).rejects.toMatchObject(rejected);
    await expect(documents.updateFolder(id, { name })).rejects.toMatchObject(rejected);
    expect(await names()).toEqual(['a']);
  });
});

describe('deleting', () => {
  test('is rejected while the folder contains a file, a folder or a media', async () => {
    const { id } = await documents.createFolder('a');
    const rejected = { code: 'invalid_request' };
    const file = await documents.createFile('x', '', id);
    await expect(documents.deleteFolder(id)).rejects.toMatchObject(rejected);
    await documents.deleteFile(file.id);
    const inner = await documents.createFolder('x', id);
    await expect(documents.deleteFolder(id)).rejects.toMatchObject(rejected);
    await documents.updateFolder(inner.id, { parentId: '' });

    const mediaId = newId();
    await library.upload(mediaId, await aJpeg(), { call: call.metadata });
    await library.context.db.collection('media').updateOne({ _id: mediaId as never }, { $set: { folder_id: id } });
    await expect(documents.deleteFolder(id)).rejects.toMatchObject(rejected);
    await library.context.db.collection('media').updateOne({ _id: mediaId as never }, { $set: { deleted: true } });
    await documents.deleteFolder(id);
    await expect(documents.getFolder(id)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('and a concurrent addition: one of the two succeeds, and nothing is in a deleted folder', async () => {
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

describe('an operation', () => {
  test('that is repeated is done once, and returns the same', async () => {
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

  test('with another revision is rejected', async () => {
    const { id } = await documents.createFolder('a');
    const stale = { expectedRevisions: [7] };
    await expect(documents.updateFolder(id, { name: 'b' }, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
    await expect(documents.deleteFolder(id, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
    await expect(documents.updateFolder(id, {})).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await names()).toEqual(['a']);
  });
});

test('a folder of another organization is denied; one of another business is not found', async () => {
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
