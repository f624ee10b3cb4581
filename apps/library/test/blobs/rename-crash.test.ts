import { newId } from '@fanfare/runtime';
import { testClient } from '@fanfare/testing';
import { served } from '../../src/rpc/rpc.ts';
import { aLibraryProcess } from '../a-library-process.ts';
import { aBusiness, documentsOf } from '../documents/documents.ts';
import { startLibrary, type TestLibrary } from '../start-library.ts';

const FILES = 20;
/** MongoDB aborts the open transaction of a killed process after a minute. Until then, its documents are locked. */
const ORPHAN_MS = 120_000;

let library: TestLibrary;
let doomed: Awaited<ReturnType<typeof startDoomed>> | undefined;
beforeAll(async () => {
  library = await startLibrary();
});
afterAll(async () => {
  await doomed?.kill();
  await library.stop();
});

test('renames, moves and rewrites of a killed library are done completely or not at all, and can be repeated on another one', async () => {
  const call = aBusiness();
  const documents = documentsOf(library, call, ORPHAN_MS);
  const [from, to] = [await documents.createFolder('from'), await documents.createFolder('to')];
  const files = await Promise.all(Array.from({ length: FILES }, (_, at) => documents.createFile(`${at}.md`, 'x', from.id)));
  doomed = await startDoomed();
  const killed = documentsOf(doomed, call);

  const edits = files.map(({ id }, at) => ({
    id,
    changes: { name: `new ${at}.md`, parentId: to.id, content: 'x'.repeat(at) },
    operationId: newId(),
  }));
  const folderEdit = { operationId: newId() };
  const edit = (by: typeof documents) => [
    ...edits.map(({ id, changes, operationId }) => by.updateFile(id, changes, { operationId })),
    by.updateFolder(to.id, { name: 'into', parentId: from.id }, folderEdit),
  ];
  const first = edit(killed);
  // Kills the library when some are done, and others are not.
  await Promise.race(first);
  await doomed.kill();
  const results = await Promise.allSettled(first);
  expect(results.map(({ status }) => status)).toContain('rejected');

  const shown = await Promise.all(files.map(({ id }) => documents.getFile(id)));
  for (const [at, { name, bodyText, parentId, revision }] of shown.entries()) {
    const [before, after] = [
      { name: `${at}.md`, bodyText: 'x', parentId: from.id, revision: 1 },
      { name: `new ${at}.md`, bodyText: 'x'.repeat(at), parentId: to.id, revision: 2 },
    ];
    expect([before, after]).toContainEqual({ name, bodyText, parentId, revision });
    if (results[at]?.status === 'fulfilled') expect(revision).toBe(2);
  }

  await Promise.all(edit(documents));
  for (const [at, { id }] of files.entries()) {
    expect(await documents.getFile(id)).toMatchObject({ path: `/from/into/new ${at}.md`, bodyText: 'x'.repeat(at), revision: 2 });
  }
  const storage = await library.context.db.collection('storage').findOne({ _id: call.metadata.organizationId as never });
  expect(storage).toMatchObject({ bytes: (FILES * (FILES - 1)) / 2, files: FILES });
});

/** A library in a process of its own, on the same database. */
async function startDoomed(): Promise<Pick<TestLibrary, 'client'> & { kill(): Promise<void> }> {
  const { mongoUrl, kafkaBrokers, topicPrefix } = library.infra;
  const { grpcPort, kill } = await aLibraryProcess({
    MONGODB_URL: mongoUrl,
    MONGODB_DATABASE: library.context.db.databaseName,
    KAFKA_BROKERS: kafkaBrokers.join(','),
    KAFKA_TOPIC_PREFIX: topicPrefix,
  });
  const { client, close } = testClient(served, grpcPort);
  return { client, kill: () => kill().finally(close) };
}
