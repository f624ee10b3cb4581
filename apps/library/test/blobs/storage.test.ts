import { toHeaders } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { countStoredMedia } from '../../src/media/store/count-stored-media.ts';
import { insertIntake } from '../../src/intake/store/intakes.ts';
import { aCall, aJpeg, aWebServer, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
/** A second replica. */
let other: TestLibrary;
let images: Awaited<ReturnType<typeof aWebServer>>;
let jpeg: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  images = await aWebServer((_request, response) => response.end(jpeg));
  library = await startLibrary({ allowedOrigins: [images.origin] });
  other = await startLibrary({ allowedOrigins: [images.origin], database: library.context.config.mongo.database });
  jpeg = new Uint8Array(await aJpeg());
});
afterAll(async () => {
  await other.stop();
  await library.stop();
  await images.stop();
});

/** Calls of a new organization. */
const anOrganization = (storageLimits: string) => {
  const organizationId = newId();
  const call = aCall({ organizationId, storageLimits });
  return {
    call,
    upload: (id = newId(), body = jpeg, replica = library) => replica.upload(id, body, { call: call.metadata }),
    /** Sends a request for a resumable upload; POST creates it. */
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

test('a new organization uses no storage', async () => {
  expect(await anOrganization('').used()).toEqual({ bytes: 0, files: 0, heldBytes: 0, heldFiles: 0 });
});

test('of twenty concurrent uploads to two replicas exactly five succeed, and nothing of the others is kept', async () => {
  const { upload, used, call } = anOrganization('1000000000/5');
  const ids = Array.from({ length: 20 }, newId);
  const bodies = await bytesOf(20);
  const responses = await Promise.all(ids.map((id, at) => upload(id, bodies[at], at % 2 === 0 ? library : other)));
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array<number>(5).fill(200), ...Array<number>(15).fill(429)]);

  const { media } = await library.client.batchGetMedia({ mediaIds: ids }, { call });
  expect(media).toHaveLength(5);
  expect(await used()).toMatchObject({ bytes: media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), files: 5 });
  await eventually(nothingLeftOver);
});

/** Every blob has a reference, and no upload is running. */
async function nothingLeftOver(): Promise<boolean> {
  const idsOf = async (name: string) => (await library.context.db.collection(name).find().toArray()).map(({ _id }) => String(_id)).sort();
  const [files, needed, unfinished] = [await idsOf('blobs.files'), await idsOf('blobs'), await idsOf('uploads')];
  return unfinished.length === 0 && JSON.stringify(files) === JSON.stringify(needed);
}

test('an import in the background keeps the limits of its request', async () => {
  const { call, used } = anOrganization(`${jpeg.length - 1}/1`);
  const { organizationId: organization_id, businessId: business_id, storageLimits: storage_limits = '' } = call.metadata;
  const mediaId = newId();
  const row = {
    _id: mediaId,
    organization_id,
    business_id,
    kind: 'url',
    url: `${images.origin}/1.jpg`,
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

test('the error contains the quota', async () => {
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

test('the last byte of the quota can be used', async () => {
  expect((await anOrganization(`${jpeg.length}/1`).upload()).status).toBe(200);
  expect((await anOrganization(`${jpeg.length - 1}/1`).upload()).status).toBe(429);
});

test('the same bytes count for each media, although they are stored once; a repeated upload counts once', async () => {
  const { upload, used } = anOrganization('1000000/3');
  const id = newId();
  for (const each of [id, newId(), id]) expect((await upload(each)).status).toBe(200);
  expect(await used()).toMatchObject({ bytes: 2 * jpeg.length, files: 2 });
});

test('deleted bytes can be used again', async () => {
  const { upload, used, call } = anOrganization('1000000/1');
  const mediaId = newId();
  expect((await upload(mediaId)).status).toBe(200);
  expect((await upload()).status).toBe(429);
  const request = { mediaId, operationId: newId(), expectedRevisions: [], force: false };
  for (let time = 0; time < 2; time++) await library.client.deleteMedia(request, { call });
  expect(await used()).toMatchObject({ bytes: 0, files: 0 });
  expect((await upload()).status).toBe(200);
});

test('without limits all uploads are accepted', async () => {
  expect((await anOrganization('').upload()).status).toBe(200);
});

test('malformed limits reject all uploads', async () => {
  expect((await anOrganization('lots').upload()).status).toBe(500);
});

test('documents count as well as media', async () => {
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

describe('the storage that open uploads reserve', () => {
  const full = (detail: string) => ({ code: 'rate_limit_exceeded', members: { quota: 'storage_bytes' }, detail });
  const rejection = 'The storage of the organization is full: this needs 9990 more (storage_bytes: 1000000,';

  test('is separate from the used storage, and released when they end', async () => {
    const { resumable, used, file } = anOrganization('1000000/10');
    const id = newId();
    await file('Bread');
    expect((await resumable(id, 999_000)).status).toBe(201);
    expect(await used()).toEqual({ bytes: 5, files: 1, heldBytes: 999_000, heldFiles: 1 });
    expect((await resumable(id, 0, 'DELETE')).status).toBe(204);
    expect(await used()).toEqual({ bytes: 5, files: 1, heldBytes: 0, heldFiles: 0 });
  });

  test('is part of the error detail, with how to release it', async () => {
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

  test('cannot be used by other uploads', async () => {
    const { resumable, upload, file } = anOrganization('1000000/10');
    await resumable(newId(), 999_999);
    expect(await (await upload()).json()).toMatchObject({ code: 'rate_limit_exceeded' });
    await expect(file('Bread')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect((await file('1')).file).toMatchObject({ bodyText: '1' });
  });

  test('is reserved once, even if the creation is repeated', async () => {
    const { resumable, used } = anOrganization('1000000/1');
    const id = newId();
    for (let time = 0; time < 2; time++) expect((await resumable(id, 999_000)).status).toBe(201);
    expect(await used()).toMatchObject({ heldBytes: 999_000, heldFiles: 1 });
  });
});

test('media from before there were quotas are counted once, even if the migration is repeated', async () => {
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
