import { createHash } from 'node:crypto';
import { toHeaders } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually, findEverywhere } from '@fanfare/testing';
import { cleanUpUnder } from '../../src/cleanup/cleanup-loop.ts';
import { leaseCleanup } from '../../src/cleanup/store/cleanup-lease.ts';
import { aBusiness, type Call } from '../documents/documents.ts';
import { startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await startLibrary();
});
afterAll(() => library.stop());

const DAY_SECONDS = 24 * 3600;
/** The archive of an organization belongs to no business. */
const anOrganization = (): Call => ({ metadata: { ...aBusiness().metadata, businessId: '' } });
const put = (id: string, call: Call, body: NonNullable<RequestInit['body']>, kept: number | string = DAY_SECONDS) =>
  fetch(library.local(`http://library/archives/${id}?kept_for_seconds=${kept}`), {
    method: 'PUT',
    body,
    headers: toHeaders(call.metadata),
    duplex: 'half',
  });
const sign = (archiveId: string, call: Call, validForSeconds = 3600) =>
  library.client.signArchiveUrl({ archiveId, validForSeconds }, { call });
const blobsLeft = () => library.context.db.collection('blobs.files').countDocuments();
const NOT_FOUND = { code: 'resource_not_found' };

test('an archive is stored as it arrives, and served by a URL that expires', async () => {
  const [id, call] = [newId(), anOrganization()];
  const parts = Array.from({ length: 40 }, (_, at) => new Uint8Array(100_000).fill(at));
  const bytes = Buffer.concat(parts);
  const response = await put(id, call, ReadableStream.from(parts));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ size_bytes: bytes.length, sha256, expires_at: expect.any(String) });

  const { publicUrl, ...signed } = await sign(id, call);
  expect(signed).toMatchObject({ sizeBytes: bytes.length, sha256 });
  expect(signed.expiresAt?.getTime()).toBeGreaterThan(Date.now() + (DAY_SECONDS - 600) * 1000);
  expect(signed.urlExpiresAt?.getTime()).toBeLessThanOrEqual(Date.now() + 3600_000);
  const served = await fetch(library.local(publicUrl));
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="fanfare-export-${id}.zip"`,
    'content-length': String(bytes.length),
  });
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  const part = await fetch(library.local(publicUrl), { headers: { range: 'bytes=100000-100001' } });
  expect([part.status, ...new Uint8Array(await part.arrayBuffer())]).toEqual([206, 1, 1]);
  // No URL works without `expires`, and nobody else gets one.
  expect((await fetch(library.local(publicUrl.replace(/\?.*/, '')))).status).toBe(404);
  await expect(sign(id, anOrganization())).rejects.toMatchObject(NOT_FOUND);

  // Another process that made the same archive gets the first one.
  const again = await put(id, call, 'another archive');
  expect(await again.json()).toMatchObject({ sha256 });
});

test('nothing is stored of an archive that breaks off', async () => {
  const [id, call] = [newId(), anOrganization()];
  const before = await blobsLeft();
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(500_000));
    },
    pull(controller) {
      controller.error(new Error('The process was killed.'));
    },
  });
  await expect(put(id, call, broken)).rejects.toThrow();
  await eventually(async () => (await library.context.db.collection('uploads').countDocuments()) === 0);
  expect(await blobsLeft()).toBe(before);
  await expect(sign(id, call)).rejects.toMatchObject(NOT_FOUND);
});

test('an archive is deleted when it has expired, and its bytes a day later', async () => {
  const [id, call] = [newId(), anOrganization()];
  await put(id, call, 'an archive');
  const { publicUrl } = await sign(id, call);
  const archives = library.context.db.collection<{ _id: string; expires_at: Date }>('archives');
  await archives.updateOne({ _id: id }, { $set: { expires_at: new Date(Date.now() - 1000) } });
  expect((await fetch(library.local(publicUrl))).status).toBe(404);
  await expect(sign(id, call)).rejects.toMatchObject(NOT_FOUND);
  await cleanUpUnder(library.context, await eventually(async () => (await leaseCleanup(library.context.db, 60_000)) ?? undefined));
  expect(await archives.findOne({ _id: id })).toBeNull();
  const free = await library.context.db.collection('blobs').findOne({ organization_id: call.metadata.organizationId });
  expect(free).toMatchObject({ references: 0, free_since: expect.any(Date) });
});

test('the erasure of a business deletes the archives of its organization, which have its data', async () => {
  const [id, call, strangers, stranger] = [newId(), anOrganization(), newId(), anOrganization()];
  await put(id, call, 'an archive');
  await put(strangers, stranger, 'an archive');
  const { organizationId } = call.metadata;
  const erasing = { organizationId, businessIds: [newId()], wholeOrganization: false };
  for (;;) if ((await library.client.erase(erasing, { call: aBusiness(), timeoutMs: 60_000 })).done) break;
  await expect(sign(id, call)).rejects.toMatchObject(NOT_FOUND);
  expect(await findEverywhere(library.context.db, [organizationId])).toEqual([]);
  expect((await sign(strangers, stranger)).sizeBytes).toBe(10);

  // Nothing comes back to an erased organization.
  for (;;) if ((await library.client.erase({ ...erasing, wholeOrganization: true }, { call: aBusiness(), timeoutMs: 60_000 })).done) break;
  expect((await put(newId(), call, 'a late archive')).status).toBe(404);
  expect(await findEverywhere(library.context.db, [organizationId], { except: ['tombstones'] })).toEqual([]);
});

test.each([
  [newId(), 'soon', 'kept_for_seconds'],
  [newId(), 32 * DAY_SECONDS, 'kept_for_seconds'],
  ['archive', DAY_SECONDS, 'archive_id'],
])('rejects the archive %s, kept for %s', async (id, kept, param) => {
  const response = await put(id, anOrganization(), 'an archive', kept);
  expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ code: 'invalid_value', param })]);
});
