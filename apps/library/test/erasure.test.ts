import { ImportMediaRequest } from '@fanfare/contracts/library';
import { toHeaders } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { copyOf, eventually, findEverywhere } from '@fanfare/testing';
import { startS3 } from './blobs/start-s3.ts';
import { aBusiness, documentsOf, type Call } from './documents/documents.ts';
import { aJpeg, aWebServer, mediaOf, startLibrary, type TestLibrary } from './start-library.ts';

let library: TestLibrary;
let hanging: Awaited<ReturnType<typeof aWebServer>>;
beforeAll(async () => {
  // Begins to send a file, and never ends.
  hanging = await aWebServer((_request, response) => void response.writeHead(200, { 'content-length': '60000000' }).write('begun'));
  library = await startLibrary({ allowedOrigins: [hanging.origin], backgroundProcesses: 1 });
});
afterAll(async () => {
  await library.stop();
  await hanging.stop();
});

const LEFT = { except: ['tombstones'] };
const MOVING = { except: ['outbox', 'inbox', 'migrations', 'leases'] };
const businessOf = ({ metadata }: Call) => metadata.businessId;
const erasing = (call: Call) => ({
  organizationId: call.metadata.organizationId,
  businessIds: [businessOf(call)],
  wholeOrganization: false,
});
async function erase(request: ReturnType<typeof erasing>, on = library): Promise<void> {
  for (;;) if ((await on.client.erase(request, { call: aBusiness(), timeoutMs: 60_000 })).done) return;
}
const usedBy = ({ metadata }: Call) => library.client.getStorageUsage({}, { call: { metadata: { ...metadata, businessId: '' } } });
const upload = async (call: Call, bytes: Uint8Array<ArrayBuffer>, on = library) =>
  (await mediaOf(await on.upload(newId(), bytes, { call: call.metadata }))) as { id: string; url: string };

/** A business with something in every collection: media with derivatives, files, folders, a reservation, and uploads that are not complete. */
async function furnish(call: Call, bytes: Uint8Array<ArrayBuffer>): Promise<{ id: string; url: string }> {
  const documents = documentsOf(library, call);
  const { id: folder } = await documents.createFolder('Recipes');
  await documents.createFile('rye.md', 'Rye', folder);
  await documents.deleteFile((await documents.createFile('old.md', 'Old')).id);
  const media = await upload(call, bytes);
  const deleted = await upload(call, new Uint8Array(await aJpeg()));
  await library.client.deleteMedia({ operationId: newId(), mediaId: deleted.id, expectedRevisions: [], force: false }, { call });
  await library.client.reserveMedia({ operationId: newId(), holder: `post:${newId()}`, revision: 1, mediaIds: [media.id] }, { call });
  await library.client.importMedia(
    ImportMediaRequest.fromPartial({ operationId: newId(), mediaId: newId(), url: `${hanging.origin}/big.jpg`, mayContinue: true }),
    { call },
  );
  const id = newId();
  const headers = { ...toHeaders(call.metadata), 'tus-resumable': '1.0.0' };
  const url = library.local(`http://127.0.0.9/tus/${id}`);
  expect((await fetch(url, { method: 'POST', headers: { ...headers, 'upload-length': '100' } })).status).toBe(201);
  const offset = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  expect((await fetch(url, { method: 'PATCH', headers: { ...headers, ...offset }, body: 'half' })).status).toBe(204);
  return media;
}
/** Until nothing changes by itself any more. */
const atRest = (...calls: Call[]) =>
  eventually(async () => {
    const ids = calls.map(businessOf);
    const waiting = await library.context.db.collection('derivatives').countDocuments({ business_id: { $in: ids }, status: 'waiting' });
    return waiting === 0 && (await library.context.db.collection('outbox').countDocuments()) === 0;
  }, 60_000);

test('nothing of an erased business is left, also no bytes, and others keep theirs, also the same bytes', async () => {
  const erased = aBusiness();
  const sibling = aBusiness({ organizationId: erased.metadata.organizationId });
  const stranger = aBusiness();
  const shared = new Uint8Array(await aJpeg());
  const media = await furnish(erased, new Uint8Array(await aJpeg(300, 200)));
  const twin = await upload(erased, shared);
  const kept = [await furnish(sibling, shared), await furnish(stranger, shared)];
  await atRest(erased, sibling, stranger);
  const used = await usedBy(sibling);
  const before = await copyOf(library.context.db, [sibling, stranger].map(businessOf), { except: [...MOVING.except, 'intakes'] });
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['derivatives', 'media', 'nodes', 'reservations', 'tus_uploads']));

  await erase(erasing(erased));
  expect(await findEverywhere(library.context.db, [businessOf(erased), media.id, twin.id], LEFT)).toEqual([]);
  expect((await fetch(library.local(media.url))).status).toBe(404);
  expect(await copyOf(library.context.db, [sibling, stranger].map(businessOf), { except: [...MOVING.except, 'intakes'] })).toEqual(before);
  for (const { url } of kept) expect(Buffer.from(await (await fetch(library.local(url))).arrayBuffer())).toEqual(Buffer.from(shared));
  // Every file has a row that refers to it, or is arriving.
  const { db } = library.context;
  const referred = await db.collection<{ _id: string }>('blobs').distinct('_id');
  const arriving = [
    ...(await db.collection('tus_uploads').distinct('blob_id')),
    ...(await db.collection('intakes').distinct('staging_blob_id')),
  ];
  const files = await db.collection('blobs.files').distinct('_id');
  expect(files.filter((id) => ![...referred, ...arriving].includes(id as never))).toEqual([]);
  // What was stored for the business counts no more.
  const left = await usedBy(erased);
  expect(left).toEqual(await usedBy(sibling));
  expect({ bytes: left.bytes, files: left.files }).toMatchObject({ files: used.files - 3 });

  expect(await library.client.erase(erasing(erased), { call: erased })).toEqual({ done: true, erased: 0, waitingFor: '' });
});

test('an upload that ends after the erasure leaves nothing', async () => {
  const erased = aBusiness();
  await upload(erased, new Uint8Array(await aJpeg()));
  await erase(erasing(erased));
  expect((await library.upload(newId(), new Uint8Array(await aJpeg()), { call: erased.metadata })).status).toBe(404);
  expect(await findEverywhere(library.context.db, [businessOf(erased)], LEFT)).toEqual([]);
});

test('nothing of an erased organization is left', async () => {
  const one = aBusiness();
  const { organizationId } = one.metadata;
  const other = aBusiness({ organizationId });
  const stranger = aBusiness();
  for (const call of [one, other, stranger]) await furnish(call, new Uint8Array(await aJpeg()));
  await atRest(one, other, stranger);
  await erase({ organizationId, businessIds: [one, other].map(businessOf), wholeOrganization: true });
  expect(await findEverywhere(library.context.db, [organizationId, ...[one, other].map(businessOf)], LEFT)).toEqual([]);
  expect((await usedBy(stranger)).files).toBeGreaterThan(0);
});

test('bytes on S3 are deleted too', async () => {
  const s3 = await startS3();
  const onS3 = await startLibrary({
    config: { blobs: { s3: s3.settings, presign: true, fallback: undefined } },
    database: `${library.context.config.mongo.database}_s3`,
  });
  try {
    const erased = aBusiness();
    await upload(erased, new Uint8Array(await aJpeg()), onS3);
    await upload(erased, new Uint8Array(await aJpeg()), onS3);
    expect(await onS3.context.db.collection('blobs').countDocuments()).toBe(2);
    expect(await s3.objects()).toHaveLength(2);
    await erase(erasing(erased), onS3);
    expect(await s3.objects()).toEqual([]);
    expect(await findEverywhere(onS3.context.db, [businessOf(erased)], LEFT)).toEqual([]);
  } finally {
    await onS3.stop();
    await s3.stop();
  }
});
