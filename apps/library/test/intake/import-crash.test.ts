import { LibraryServiceService } from '@fanfare/contracts/library';
import { createRpcClient } from '@fanfare/rpc';
import { createLogger, newId } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { aFileServer, type FileServer } from './a-file-server.ts';
import { aLibraryProcess } from '../a-library-process.ts';
import { aCall, aPng, startLibrary } from '../start-library.ts';

let web: FileServer;
let png: Buffer;
beforeAll(async () => {
  web = await aFileServer();
  png = await aPng(2000, 1500);
});
afterAll(() => web.stop());

/** A library with its own database, in a process that the test kills. */
async function aDoomedLibrary() {
  const { mongoUrl, database, kafkaBrokers, topicPrefix } = testInfrastructure();
  const doomed = await aLibraryProcess({
    ...{ MONGODB_URL: mongoUrl, MONGODB_DATABASE: database, KAFKA_BROKERS: kafkaBrokers.join(','), KAFKA_TOPIC_PREFIX: topicPrefix },
    FETCH_ALLOWED_ORIGINS: web.origin,
  });
  const address = `127.0.0.1:${doomed.grpcPort}`;
  const rpc = createRpcClient({ target: 'library', address, definition: LibraryServiceService, log: createLogger('test', 'silent') });
  const mongo = await MongoClient.connect(mongoUrl);
  return { ...doomed, rpc, mongo, db: mongo.db(database), database };
}

/** An import in the background of which `bytes` are durably stored. */
async function underWay({ rpc, db }: Awaited<ReturnType<typeof aDoomedLibrary>>, url: string, bytes: number): Promise<string> {
  const mediaId = newId();
  const request = { operationId: newId(), mediaId, url, param: 'url', mayContinue: true, altText: '' };
  // The deadline limits how long the request waits. The response is not needed, and may be late on a busy machine.
  const requested = rpc.client.importMedia(request, { call: aCall(), timeoutMs: 4_000 }).catch(() => undefined);
  await eventually(async () => {
    const row = await db.collection('intakes').findOne({ _id: mediaId as never });
    const blob = await db.collection('blobs.files').findOne({ _id: row?.['staging_blob_id'] as never });
    return ((blob?.['length'] as number | undefined) ?? 0) >= bytes;
  });
  await requested;
  return mediaId;
}

test.each([
  ['requests only the rest if the server supports ranges', '"v1"', /^from [1-9]\d{6,}$/],
  ['starts over if it does not', undefined, /^all$/],
])('when a library is killed during an import, another one takes over and %s', async (_what, etag, expected) => {
  const path = `/${newId()}`;
  const served = { body: png, ...(etag !== undefined && { etag }), pauseAfter: 6_000_000 };
  web.files.set(path, served);
  const doomed = await aDoomedLibrary();
  let other: Awaited<ReturnType<typeof startLibrary>> | undefined;
  try {
    const mediaId = await underWay(doomed, web.origin + path, 4_000_000);
    await doomed.kill();
    Object.assign(served, { pauseAfter: undefined });
    other = await startLibrary({ allowedOrigins: [web.origin], database: doomed.database });
    const { client } = other;
    const media = await eventually(async () => {
      const found = (await client.getMedia({ mediaId }, { call: aCall() })).media;
      return found?.status === 'MEDIA_STATUS_READY' && found;
    });
    const response = await fetch(other.local(media.url));
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    expect(web.requests.at(-1)).toMatch(expected);
    // Nothing remains of the first attempt.
    expect(await doomed.db.collection('intakes').countDocuments()).toBe(0);
    expect(await doomed.db.collection('blobs.files').countDocuments()).toBe(1);
  } finally {
    await doomed.kill();
    doomed.rpc.close();
    if (other) await other.stop();
    else await doomed.db.dropDatabase();
    await doomed.mongo.close();
  }
});
