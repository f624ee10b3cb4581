import { toHeaders } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { countStoredMedia } from '../src/media/store/count-stored-media.ts';
import { insertIntake } from '../src/intake/store/intakes.ts';
import { aCall, aJpeg, aWebServer, startLibrary, type TestLibrary } from './start-library.ts';

let library: TestLibrary;
/** A second replica. */
let other: TestLibrary;
let pictures: Awaited<ReturnType<typeof aWebServer>>;
let jpeg: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  pictures = await aWebServer((_request, response) => response.end(jpeg));
  library = await startLibrary({ allowedOrigins: [pictures.origin] });
  other = await startLibrary({ allowedOrigins: [pictures.origin], database: library.context.config.mongo.database });
  jpeg = new Uint8Array(await aJpeg());
});
afterAll(async () => {
  await other.stop({ keepData: true });
  await library.stop();
  await pictures.stop();
});

/** Calls of an organization that nobody else uses. */
const anOrganization = (storageLimits: string) => {
  const organizationId = newId();
  const call = aCall({ organizationId, storageLimits });
  return {
    call,
    upload: (id = newId(), body = jpeg, replica = library) => replica.upload(id, body, { call: call.metadata }),
    /** Begins a resumable upload, or does with it what the method says. */
    resumable: (id: string, bytes: number, method = 'POST') =>
      fetch(library.local(`http://127.0.0.9/tus/${id}`), {
        method,
        headers: { ...toHeaders(call.metadata), 'tus-resumable': '1.0.0', ...(method === 'POST' && { 'upload-length': String(bytes) }) },
      }),
    file: (content: string) =>
      library.client.createFile({ operationId: newId(), fileId: newId(), name: `${newId()}.md`, content, parentId: undefined }, { call }),
    used: () => library.client.getStorageUsage({}, { call: aCall({ organizationId, businessId: '' }) }),
  };
};
const bytesOf = async (count: number) => Promise.all(Array.from({ length: count }, async () => new Uint8Array(await aJpeg())));

test('nothing is used of a storage that nobody has used yet', async () => {
  expect(await anOrganization('').used()).toEqual({ bytes: 0, files: 0, heldBytes: 0, heldFiles: 0 });
});

test('of twenty uploads at once to two replicas exactly five fit, and nothing is kept of the others', async () => {
  const { upload, used, call } = anOrganization('1000000000/5');
  const ids = Array.from({ length: 20 }, newId);
  const bodies = await bytesOf(20);
  const answers = await Promise.all(ids.map((id, at) => upload(id, bodies[at], at % 2 === 0 ? library : other)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(5).fill(200), ...Array<number>(15).fill(429)]);

  const { media } = await library.client.batchGetMedia({ mediaIds: ids }, { call });
  expect(media).toHaveLength(5);
  expect(await used()).toMatchObject({ bytes: media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), files: 5 });
  await eventually(nothingLeftOver);
});

/** Every blob is needed by something, and none is on its way. */
async function nothingLeftOver(): Promise<boolean> {
  const idsOf = async (name: string) => (await library.context.db.collection(name).find().toArray()).map(({ _id }) => String(_id)).sort();
  const [files, needed, unfinished] = [await idsOf('blobs.files'), await idsOf('blobs'), await idsOf('uploads')];
  return unfinished.length === 0 && JSON.stringify(files) === JSON.stringify(needed);
}

test('what is fetched in the background keeps to the limits of the call that asked for it', async () => {
  const { call, used } = anOrganization(`${jpeg.length - 1}/1`);
  const { organizationId: organization_id, businessId: business_id, storageLimits: storage_limits = '' } = call.metadata;
  const mediaId = newId();
  const row = {
    _id: mediaId,
    organization_id,
    business_id,
    kind: 'url',
    url: `${pictures.origin}/1.jpg`,
    alt_text: '',
    storage_limits,
  } as const;
  await insertIntake(library.context.db, row);
  const failed = await eventually(async () => {
    const { media } = await library.client.getMedia({ mediaId }, { call });
    return media?.status === 'MEDIA_STATUS_FAILED' && media;
  });
  expect(failed.failure).toMatchObject({ code: 'rate_limit_exceeded', detail: expect.stringContaining('storage_bytes') as string });
  expect(await used()).toMatchObject({ bytes: 0, files: 0 });
  await eventually(nothingLeftOver);
});

test('the rejection names the quota', async () => {
  const bySize = anOrganization(`${jpeg.length + 10}/100`);
  expect((await bySize.upload()).status).toBe(200);
  const rejected = await bySize.upload();
  expect(rejected.status).toBe(429);
  expect(await rejected.json()).toMatchObject({
    code: 'rate_limit_exceeded',
    retryAfterSeconds: 86_400,
    members: { quota: 'storage_bytes' },
    detail: expect.stringContaining('storage_bytes') as string,
  });
  expect(await (await anOrganization('1000000/0').upload()).json()).toMatchObject({ members: { quota: 'storage_files' } });
});

test('the last byte that the plan allows can be used', async () => {
  expect((await anOrganization(`${jpeg.length}/1`).upload()).status).toBe(200);
  expect((await anOrganization(`${jpeg.length - 1}/1`).upload()).status).toBe(429);
});

test('same bytes count each time, though they are stored once; a repeat of an upload counts once', async () => {
  const { upload, used } = anOrganization('1000000/3');
  const id = newId();
  for (const each of [id, newId(), id]) expect((await upload(each)).status).toBe(200);
  expect(await used()).toMatchObject({ bytes: 2 * jpeg.length, files: 2 });
});

test('what is deleted can be used again', async () => {
  const { upload, used, call } = anOrganization('1000000/1');
  const mediaId = newId();
  expect((await upload(mediaId)).status).toBe(200);
  expect((await upload()).status).toBe(429);
  const request = { mediaId, operationId: newId(), expectedRevisions: [], force: false };
  for (let time = 0; time < 2; time++) await library.client.deleteMedia(request, { call });
  expect(await used()).toMatchObject({ bytes: 0, files: 0 });
  expect((await upload()).status).toBe(200);
});

test('without limits everything fits', async () => {
  expect((await anOrganization('').upload()).status).toBe(200);
});

test('limits that cannot be read let nothing in', async () => {
  expect((await anOrganization('lots').upload()).status).toBe(500);
});

test('documents count beside media', async () => {
  const { upload, used, call } = anOrganization('1000000/2');
  await upload();
  const file = (name: string) => ({ operationId: newId(), fileId: newId(), name, content: 'Bread', parentId: undefined });
  await library.client.createFile(file('one.md'), { call });
  expect(await used()).toMatchObject({ bytes: jpeg.length + 5, files: 2 });
  await expect(library.client.createFile(file('two.md'), { call })).rejects.toMatchObject({
    code: 'rate_limit_exceeded',
    retryAfterSeconds: 86_400,
    detail: expect.stringContaining('To free space, delete media or files.') as string,
    members: { quota: 'storage_files' },
  });
});

describe('what uploads hold that are open', () => {
  const full = (detail: string) => ({ code: 'rate_limit_exceeded', members: { quota: 'storage_bytes' }, detail });
  const rejection = 'The storage of the organization is full: this needs 9990 more (storage_bytes: 1000000,';

  test('is told apart from what is used, and given back when they are ended', async () => {
    const { resumable, used, file } = anOrganization('1000000/10');
    const id = newId();
    await file('Bread');
    expect((await resumable(id, 999_000)).status).toBe(201);
    expect(await used()).toEqual({ bytes: 5, files: 1, heldBytes: 999_000, heldFiles: 1 });
    expect((await resumable(id, 0, 'DELETE')).status).toBe(204);
    expect(await used()).toEqual({ bytes: 5, files: 1, heldBytes: 0, heldFiles: 0 });
  });

  test('is named by a rejection, with what ends it', async () => {
    const { resumable, file } = anOrganization('1000000/10');
    await resumable(newId(), 999_000);
    expect(await (await resumable(newId(), 9_990)).json()).toMatchObject(
      full(`${rejection} used: 0, reserved by open uploads: 999000). To free space, finish or cancel open uploads.`),
    );
    await file('Bread');
    expect(await (await resumable(newId(), 9_990)).json()).toMatchObject(
      full(
        `${rejection} used: 5, reserved by open uploads: 999000). To free space, finish or cancel open uploads or delete media or files.`,
      ),
    );
  });

  test('is nobody else’s to take', async () => {
    const { resumable, upload, file } = anOrganization('1000000/10');
    await resumable(newId(), 999_999);
    expect(await (await upload()).json()).toMatchObject({ code: 'rate_limit_exceeded' });
    await expect(file('Bread')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect((await file('1')).file).toMatchObject({ bodyText: '1' });
  });

  test('is held once, however often the creation is repeated', async () => {
    const { resumable, used } = anOrganization('1000000/1');
    const id = newId();
    for (let time = 0; time < 2; time++) expect((await resumable(id, 999_000)).status).toBe(201);
    expect(await used()).toMatchObject({ heldBytes: 999_000, heldFiles: 1 });
  });
});

test('media from before there were quotas are counted once, however often that is begun anew', async () => {
  const { db } = library.context;
  const organizationId = newId();
  const old = (more: object) => ({ _id: newId(), organization_id: organizationId, size_bytes: 10, ...more });
  const many = Array.from({ length: 1_200 }, () => old({}));
  await db
    .collection<{ _id: string }>('media')
    .insertMany([...many, old({ size_bytes: 7, deleted: true }), old({ organization_id: newId() })]);
  await countStoredMedia(db);
  await countStoredMedia(db);
  const call = aCall({ organizationId });
  expect(await library.client.getStorageUsage({}, { call })).toMatchObject({ bytes: 12_000, files: 1_200 });
  await db.collection('media').deleteMany({ business_id: { $exists: false } });
});
