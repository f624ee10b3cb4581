import { newId } from '@fanfare/runtime';
import { aCall, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await startLibrary();
});
afterAll(() => library.stop());

/** Inserts media documents. Lists read nothing else. */
async function stored(call: ReturnType<typeof aCall>, more: readonly object[]): Promise<string[]> {
  const { organizationId, businessId } = call.metadata;
  const documents = more.map((fields, at) => ({
    _id: newId(),
    organization_id: organizationId,
    business_id: businessId,
    created_at: new Date(Date.UTC(2026, 0, 1) + at),
    type: 'image',
    mime_type: 'image/png',
    size_bytes: 1,
    width: 1,
    height: 1,
    sha256: '',
    source: 'upload',
    alt_text: '',
    blob_id: 'none',
    ...fields,
  }));
  await library.context.db.collection<{ _id: string }>('media').insertMany(documents);
  return documents.map(({ _id }) => _id).reverse();
}

const aBusiness = () => aCall({ businessId: newId() });
const list = (call: ReturnType<typeof aCall>, folderId?: string, pageToken = '', pageSize = 100) =>
  library.client.listMedia({ folderId, allFolders: false, pageSize, pageToken }, { call });
const idsOf = ({ media }: { media: { id: string }[] }) => media.map(({ id }) => id);
const aFolder = async (call: ReturnType<typeof aCall>) => {
  const request = { operationId: newId(), folderId: newId(), name: `Folder ${newId()}`, parentId: undefined };
  return (await library.client.createFolder(request, { call })).folder?.id ?? '';
};

test('a folder lists its media, newest first; the root lists media without a folder', async () => {
  const call = aBusiness();
  const folder = await aFolder(call);
  const inFolder = await stored(call, [{ folder_id: folder }, { folder_id: folder }]);
  const inRoot = await stored(call, [{ folder_id: null }, {}, { folder_id: null }]);
  await stored(call, [{ deleted: true }, { deleted: true, folder_id: folder }]);
  expect(idsOf(await list(call, folder))).toEqual(inFolder);
  expect(idsOf(await list(call))).toEqual(inRoot);
});

test('a list can include all folders, in pages too', async () => {
  const call = aBusiness();
  const folder = await aFolder(call);
  const ids = [...(await stored(call, [{ folder_id: folder }])), ...(await stored(call, [{ folder_id: null }, {}]))];
  const everywhere = { folderId: undefined, allFolders: true, pageSize: 2 };
  const first = await library.client.listMedia({ ...everywhere, pageToken: '' }, { call });
  const second = await library.client.listMedia({ ...everywhere, pageToken: first.nextPageToken }, { call });
  expect([...idsOf(first), ...idsOf(second)].sort()).toEqual(ids.sort());
});

test('a page continues where the previous one ended, even if media were added in the meantime', async () => {
  const call = aBusiness();
  const ids = await stored(
    call,
    Array.from({ length: 7 }, () => ({ created_at: new Date(0) })),
  );
  ids.sort().reverse();
  const first = await list(call, undefined, '', 3);
  await stored(call, [{}]);
  const second = await list(call, undefined, first.nextPageToken, 3);
  const third = await list(call, undefined, second.nextPageToken, 3);
  expect([first, second, third].flatMap(idsOf)).toEqual(ids);
  expect(third.nextPageToken).toBe('');
});

test('a page ends before it exceeds 2 MiB', async () => {
  const call = aBusiness();
  const ids = await stored(
    call,
    Array.from({ length: 30 }, () => ({ transcript: 'x'.repeat(100_000) })),
  );
  const first = await list(call);
  expect(first.media.length).toBeGreaterThan(15);
  expect(first.media.length).toBeLessThan(30);
  expect([...idsOf(first), ...idsOf(await list(call, undefined, first.nextPageToken))]).toEqual(ids);
});

test('a cursor works only for its own list', async () => {
  const call = aBusiness();
  const folder = await aFolder(call);
  await stored(call, [{}, {}]);
  const { nextPageToken } = await list(call, undefined, '', 1);
  const rejection = { code: 'invalid_request', param: 'cursor' };
  await expect(list(call, folder, nextPageToken)).rejects.toMatchObject(rejection);
  await expect(list(aBusiness(), undefined, nextPageToken)).rejects.toMatchObject(rejection);
  await expect(list(call, undefined, `${nextPageToken}x`)).rejects.toMatchObject(rejection);
});

test('a folder that this business does not have cannot be listed', async () => {
  const folder = await aFolder(aBusiness());
  const missing = { code: 'invalid_value', param: 'folder_id' };
  await expect(list(aBusiness(), folder)).rejects.toMatchObject(missing);
  await expect(list(aBusiness(), newId())).rejects.toMatchObject(missing);
  await expect(list(aCall({ organizationId: newId() }), folder)).rejects.toMatchObject({ code: 'permission_denied' });
});

test('the database examines only the rows of a page, in the root and among many deleted media', async () => {
  const call = aBusiness();
  await stored(call, [...Array.from({ length: 500 }, () => ({ deleted: true })), ...Array.from({ length: 500 }, () => ({}))]);
  const { db } = library.context;
  await db.command({ profile: 2 });
  await list(call, undefined, '', 10);
  await db.command({ profile: 0 });
  const [query] = await db
    .collection('system.profile')
    .find({ ns: `${db.databaseName}.media`, op: 'query' })
    .toArray();
  expect(query?.['docsExamined']).toBeLessThan(20);
  expect(query?.['keysExamined']).toBeLessThan(40);
});
