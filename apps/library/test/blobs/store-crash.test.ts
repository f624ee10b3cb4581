import { newId } from '@fanfare/runtime';
import { toHeaders } from '@fanfare/rpc';
import { eventually } from '@fanfare/testing';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cleanUpUnder } from '../../src/cleanup/cleanup-loop.ts';
import { openSpool } from '../../src/intake/spool.ts';
import { leaseCleanup } from '../../src/cleanup/store/cleanup-lease.ts';
import { aLibraryProcess } from '../a-library-process.ts';
import { aCall, aPng, NOTHING_STORED, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
let spoolDirectory: string;
beforeAll(async () => {
  library = await startLibrary();
  spoolDirectory = await mkdtemp(path.join(os.tmpdir(), 'fanfare-test-'));
});
afterAll(async () => {
  await library.stop();
  await rm(spoolDirectory, { recursive: true });
});

test('a library that is killed while it stores a file leaves nothing visible, and the clean-up of another one deletes the rest', async () => {
  const { db, config } = library.context;
  const doomed = await aLibraryProcess({
    MONGODB_URL: config.mongo.url,
    MONGODB_DATABASE: config.mongo.database,
    KAFKA_BROKERS: config.kafka.brokers.join(','),
    KAFKA_TOPIC_PREFIX: config.kafka.topicPrefix,
    SPOOL_DIRECTORY: spoolDirectory,
  });
  const mediaId = newId();
  // Several batches.
  const body = new Uint8Array(await aPng(4500, 3000));
  const upload = fetch(`${doomed.origin}/uploads/${mediaId}`, { method: 'PUT', body, headers: toHeaders(aCall().metadata) });
  const broken = expect(upload).rejects.toThrow();
  await eventually(async () => (await library.stored()).chunks > 0);
  await doomed.kill();
  await broken;

  expect(await library.stored()).toMatchObject({ media: 0, uploads: 1, files: 1 });
  const blob = await db.collection('blobs.files').findOne();
  expect(blob?.['length']).toBeLessThan(body.length);
  await expect(library.client.getMedia({ mediaId }, { call: aCall() })).rejects.toMatchObject({ code: 'resource_not_found' });

  await db.collection('uploads').updateMany({}, { $set: { lease_until: new Date(0) } });
  const row = await eventually(async () => (await leaseCleanup(db, 60_000)) ?? undefined);
  await cleanUpUnder(library.context, row);
  expect(await library.stored()).toEqual(NOTHING_STORED);
  expect(await db.collection('blobs').countDocuments()).toBe(0);

  expect(await readdir(spoolDirectory)).toHaveLength(1);
  await (await openSpool(spoolDirectory)).close();
  expect(await readdir(spoolDirectory)).toEqual([]);
});
