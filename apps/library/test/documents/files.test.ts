import { newId } from '@fanfare/runtime';
import { aBusiness, BAD_NAMES, documentsOf, outcomes, type Documents } from './documents.ts';
import { aJpeg, startLibrary, type TestLibrary } from '../start-library.ts';

const MIB = 1 << 20;

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

/** Calls both replicas concurrently. */
const together = <T>(send: (by: Documents) => Promise<T>): Promise<T[]> => Promise.all([documents, others, documents, others].map(send));

const usage = async () => {
  const row = await library.context.db.collection('storage').findOne({ _id: call.metadata.organizationId as never });
  return row && { bytes: row['bytes'] as number, files: row['files'] as number };
};
async function aMedia(by = call): Promise<{ id: string; url: string }> {
  const id = newId();
  await library.upload(id, await aJpeg(60, 40), { call: by.metadata });
  await library.context.db.collection('media').updateOne({ _id: id as never }, { $set: { alt_text: 'Bread' } });
  return { id, url: library.context.urls.stable(id) };
}

test('a file is created, read, listed, rewritten, renamed, moved and deleted', async () => {
  const folder = await documents.createFolder('Brand');
  const file = await documents.createFile('voice.md', '# Voice', folder.id);
  expect(file).toMatchObject({
    name: 'voice.md',
    path: '/Brand/voice.md',
    bodyText: '# Voice',
    parentId: folder.id,
    media: [],
    revision: 1,
  });
  expect(await documents.getFile(file.id)).toEqual(file);
  expect((await documents.listFiles(folder.id)).files).toEqual([file]);
  expect((await documents.listFiles()).files).toEqual([]);

  const rewritten = await documents.updateFile(file.id, { content: '# Tone' });
  expect(rewritten).toMatchObject({ name: 'voice.md', bodyText: '# Tone', revision: 2, createdAt: file.createdAt });
  expect(rewritten.updatedAt?.getTime()).toBeGreaterThanOrEqual(file.updatedAt?.getTime() ?? Infinity);
  expect(await documents.updateFile(file.id, { name: 'tone.md' })).toMatchObject({ path: '/Brand/tone.md', bodyText: '# Tone' });
  expect(await documents.updateFile(file.id, { parentId: '' })).toMatchObject({ path: '/tone.md', parentId: undefined });

  await documents.deleteFile(file.id);
  await expect(documents.getFile(file.id)).rejects.toMatchObject({ code: 'resource_not_found' });
  expect((await documents.listFiles()).files).toEqual([]);
  await expect(documents.updateFile(file.id, { name: 'x' })).rejects.toMatchObject({ code: 'resource_not_found' });
});

test.each([
  ['nothing', ''],
  ['line ends of every kind', 'a\r\nb\rc\n\n\u2028d\u0085'],
  ['NUL and other controls', 'a\0b\u0001\u007f'],
  ['a byte order mark', '\ufeff# Title'],
  ['emoji, and accents in both encodings', '🍞👩‍🍳 Cafe\u0301 Café'],
  ['text that starts with a dollar sign', '$set'],
  ['a field path', '$$ROOT'],
  ['__proto__', '__proto__'],
  ['HTML', '<script>alert(1)</script> </'],
  ['noncharacters', '\uffff\u{10ffff}'],
])('%s is returned unchanged', async (_what, content) => {
  const { id } = await documents.createFile('a.md', content);
  expect((await documents.getFile(id)).bodyText).toBe(content);
  await documents.updateFile(id, { content: 'other' });
  const { bodyText } = await documents.updateFile(id, { content });
  expect(Buffer.from(bodyText).equals(Buffer.from(content))).toBe(true);
  expect((await documents.listFiles()).files[0]?.bodyText).toBe(content);
});

test('a text may have 8 MiB in UTF-8, but not one byte more', async () => {
  const content = 'é'.repeat(4 * MIB);
  const { id } = await documents.createFile('big.md', content);
  expect((await documents.getFile(id)).bodyText === content).toBe(true);
  expect((await documents.updateFile(id, { content: content.replace('é', 'ab') })).bodyText).toHaveLength(4 * MIB + 1);
  const rejected = { code: 'payload_too_large', param: 'content' };
  await expect(documents.createFile('bigger.md', `${content}x`)).rejects.toMatchObject(rejected);
  await expect(documents.updateFile(id, { content: `${content}x` })).rejects.toMatchObject(rejected);
  expect(await usage()).toEqual({ bytes: 8 * MIB, files: 1 });
  // It alone is larger than a page, but is returned as a page of one.
  await documents.createFile('small.md');
  const page = await documents.listFiles();
  expect(page.files.map(({ name }) => name)).toEqual(['small.md']);
  const next = await documents.listFiles(undefined, { pageToken: page.nextPageToken });
  expect([next.files.map(({ name }) => name), next.nextPageToken]).toEqual([['big.md'], '']);
});

test.each(BAD_NAMES)('no file is called by a name that is %s', async (_what, name) => {
  const { id } = await documents.createFile('a.md', 'x');
  const rejected = { code: 'invalid_value', param: 'name' };
  await expect(documents.createFile(name, 'x')).rejects.toMatchObject(rejected);
  await expect(documents.updateFile(id, { name, content: 'y' })).rejects.toMatchObject(rejected);
  expect((await documents.listFiles()).files).toMatchObject([{ name: 'a.md', bodyText: 'x' }]);
  expect(await usage()).toEqual({ bytes: 1, files: 1 });
});

describe('media', () => {
  test('whose URLs a text contains are listed with it, as long as they exist', async () => {
    const [bread, oven] = [await aMedia(), await aMedia()];
    const foreign = await aMedia(aBusiness());
    const { id } = await documents.createFile('a.md', `![oven](${oven.url}) ${foreign.url} <img src="${bread.url}"> ${oven.url}`);
    const { media } = await documents.getFile(id);
    expect(media.map(({ id: mediaId }) => mediaId)).toEqual([oven.id, bread.id]);
    expect(media[0]).toEqual({
      id: oven.id,
      businessId: call.metadata.businessId,
      createdAt: expect.any(Date) as Date,
      altText: 'Bread',
      originalUrl: '',
      type: 'image',
      width: 60,
      height: 40,
      source: 'upload',
    });
    expect((await documents.listFiles()).files[0]?.media).toEqual(media);

    await library.context.db.collection('media').updateOne({ _id: oven.id as never }, { $set: { deleted: true } });
    expect((await documents.getFile(id)).media).toMatchObject([{ id: bread.id }]);
    expect((await documents.updateFile(id, { content: 'no image' })).media).toEqual([]);
  });

  test('count for the size of a page', async () => {
    const { db } = library.context;
    const media = await aMedia();
    const [one] = await db
      .collection('media')
      .find({ _id: media.id as never })
      .toArray();
    const wordy = Array.from({ length: 100 }, () => ({ ...one, _id: newId() as never, alt_text: 'x'.repeat(10_000) }));
    await db.collection('media').insertMany(wordy);
    const content = wordy.map(({ _id }) => library.context.urls.stable(_id)).join('\n');
    for (const name of ['a', 'b', 'c']) await documents.createFile(name, content);
    const first = await documents.listFiles();
    expect(first.files.map(({ name, media: { length } }) => ({ name, length }))).toEqual([{ name: 'c', length: 100 }]);
    const second = await documents.listFiles(undefined, { pageToken: first.nextPageToken });
    expect(second.files.map(({ name }) => name)).toEqual(['b']);
    const third = await documents.listFiles(undefined, { pageToken: second.nextPageToken });
    expect([third.files.map(({ name }) => name), third.nextPageToken]).toEqual([['a'], '']);
  });
});

describe('storage', () => {
  test('counts the current size of each text', async () => {
    const { id } = await documents.createFile('a.md', 'é€');
    await documents.createFile('b.md', '');
    expect(await usage()).toEqual({ bytes: 5, files: 2 });
    await documents.updateFile(id, { content: 'a' });
    expect(await usage()).toEqual({ bytes: 1, files: 2 });
    await documents.updateFile(id, { name: 'c.md' });
    await documents.deleteFile(id);
    expect(await usage()).toEqual({ bytes: 0, files: 1 });
  });

  test('counts a repeated operation once, and a rejected one not at all', async () => {
    const fileId = newId();
    await together((by) => by.createFile('a.md', '12345', undefined, fileId));
    await expect(documents.createFile('A.md', '12345')).rejects.toMatchObject({ param: 'name' });
    await expect(documents.createFile('b.md', '12345', newId())).rejects.toMatchObject({ param: 'parent_id' });
    await expect(documents.updateFile(fileId, { content: '123456' }, { expectedRevisions: [9] })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    expect(await usage()).toEqual({ bytes: 5, files: 1 });
    const again = { operationId: newId() };
    await together((by) => by.updateFile(fileId, { content: '1' }, again));
    expect(await usage()).toEqual({ bytes: 1, files: 1 });
    await together((by) => by.deleteFile(fileId, again));
    expect(await usage()).toMatchObject({ bytes: 1, files: 1 }); // The same operation: it had changed the file already.
    const deletion = { operationId: newId() };
    await together((by) => by.deleteFile(fileId, deletion));
    expect(await usage()).toMatchObject({ bytes: 0, files: 0 });
  });

  test('that is full rejects only operations that need more space', async () => {
    const tight = documentsOf(library, { metadata: { ...call.metadata, storageLimits: '10/2' } });
    const rejected = { code: 'rate_limit_exceeded' };
    const { id } = await tight.createFile('a.md', '1234567890');
    await expect(tight.createFile('b.md', '1')).rejects.toMatchObject({
      ...rejected,
      message: expect.stringContaining('storage_bytes') as string,
    });
    await expect(tight.updateFile(id, { content: '12345678901' })).rejects.toMatchObject(rejected);
    await tight.createFile('c.md', '');
    await expect(tight.createFile('d.md', '')).rejects.toMatchObject({
      ...rejected,
      message: expect.stringContaining('storage_files') as string,
    });
    await tight.updateFile(id, { name: 'e.md' });
    expect(await tight.updateFile(id, { content: '123' })).toMatchObject({ bodyText: '123' });
    expect((await tight.listFiles()).files).toHaveLength(2);
    expect(await usage()).toEqual({ bytes: 3, files: 2 });
  });
});

test('a repeated operation is done once, and returns the same', async () => {
  const fileId = newId();
  const [first, second] = await together((by) => by.createFile('a.md', 'x', undefined, fileId));
  expect(second).toEqual(first);

  const edit = { operationId: newId(), expectedRevisions: [1] };
  const edited = await together((by) => by.updateFile(fileId, { content: 'y' }, edit));
  expect(new Set(edited.map(({ revision }) => revision))).toEqual(new Set([2]));
  expect(await documents.updateFile(fileId, { content: 'y' }, edit)).toEqual(edited[0]);

  const deletion = { operationId: newId() };
  await documents.deleteFile(fileId, deletion);
  await documents.deleteFile(fileId, deletion);
  await expect(documents.deleteFile(fileId)).rejects.toMatchObject({ code: 'resource_not_found' });
});

test('of two concurrent edits of the same revision, one succeeds completely', async () => {
  const { id } = await documents.createFile('a.md', 'x');
  const both = ['y', 'z'].map((content, at) =>
    (at ? others : documents).updateFile(id, { name: `${content}.md`, content }, { expectedRevisions: [1] }),
  );
  expect(await outcomes(both)).toEqual(['done', 'precondition_failed']);
  const { name, bodyText, revision } = await documents.getFile(id);
  expect([`${bodyText}.md`, 2]).toEqual([name, revision]);
});

test('an update without fields, or with another revision, changes nothing', async () => {
  const { id } = await documents.createFile('a.md', 'x');
  await expect(documents.updateFile(id, {})).rejects.toMatchObject({ code: 'invalid_request' });
  const stale = { expectedRevisions: [3] };
  await expect(documents.updateFile(id, { name: 'b' }, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
  await expect(documents.deleteFile(id, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(await documents.getFile(id)).toMatchObject({ name: 'a.md', revision: 1 });
});

test('a file of another organization, or of another business, is not found', async () => {
  const foreign = await documentsOf(library, aBusiness()).createFile('a');
  const sibling = await documentsOf(library, aBusiness({ organizationId: call.metadata.organizationId })).createFile('a');
  const folder = await documents.createFolder('a');
  for (const id of [foreign.id, sibling.id, folder.id, newId()]) {
    const rejected = { code: 'resource_not_found' };
    await expect(documents.getFile(id)).rejects.toMatchObject(rejected);
    await expect(documents.updateFile(id, { content: 'mine' })).rejects.toMatchObject(rejected);
    await expect(documents.deleteFile(id)).rejects.toMatchObject(rejected);
  }
});
