import { readdirSync, readFileSync } from 'node:fs';
import { DerivativeRecipe } from '@fanfare/contracts/library';
import { newId } from '@fanfare/runtime';
import { eventually, testClient } from '@fanfare/testing';
import { served } from '../../src/rpc/rpc.ts';
import { aLibraryProcess } from '../a-library-process.ts';
import { aVideo, streamsOf } from '../make-recordings.ts';
import { aCall, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';

/** A new one for each test: tests with the same bytes would reuse each other's derivatives. */
let maxWidth = 1280;
beforeEach(() => (maxWidth -= 10));

let library: TestLibrary;
let video: Buffer;
beforeAll(async () => {
  [library, video] = [await startLibrary(), await aVideo({ size: '1280x720', seconds: 8 })];
});
afterAll(() => library.stop());

const rows = () => library.context.db.collection('derivatives');

async function upload(): Promise<string> {
  const id = newId();
  await mediaOf(await library.upload(id, new Uint8Array(video)));
  // Without the standard derivatives of uploads.
  await rows().deleteMany({ media_id: id });
  return id;
}

const make = async (by: Pick<TestLibrary, 'client'>, mediaId: string) =>
  by.client.makeDerivative(
    { mediaId, recipe: DerivativeRecipe.fromPartial({ mimeType: 'video/mp4', maxWidth }), validForSeconds: 3600 },
    { call: aCall() },
  );

/** The ffmpeg processes that encode a video and descend from this process, with their parents. */
function transcoders(ancestor: number): { pid: number; parent: number }[] {
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .map((pid) => ({ pid, parent: parentOf(pid) }));
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const descends = (pid: number): boolean => pid === ancestor || (pid > 1 && descends(parents.get(pid) ?? 0));
  return all.filter(({ pid }) => isTranscoding(pid) && descends(pid));
}

function isTranscoding(pid: number): boolean {
  try {
    return nameOf(pid) === 'ffmpeg' && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('libx264');
  } catch {
    return false;
  }
}

const stat = (pid: number) => {
  try {
    return /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
  } catch {
    return [];
  }
};
const nameOf = (pid: number) => stat(pid)[1];
const parentOf = (pid: number) => Number(stat(pid)[2] ?? 0);

async function expectMade(by: TestLibrary, mediaId: string): Promise<void> {
  const { derivative } = await eventually(async () => {
    const response = await make(by, mediaId);
    return response.status !== 'MEDIA_STATUS_PROCESSING' && response;
  });
  const bytes = Buffer.from(await (await fetch(by.local(derivative?.publicUrl ?? ''))).arrayBuffer());
  expect((await streamsOf(bytes)).video).toMatchObject({ codec_name: 'h264', width: maxWidth });
}

test('a program that is killed is started again', async () => {
  const working = await startLibrary({ database: library.context.db.databaseName, backgroundProcesses: 1 });
  try {
    const id = await upload();
    await make(working, id);
    const [transcoder] = await eventually(() => transcoders(process.pid).length > 0 && transcoders(process.pid));
    process.kill(transcoder!.parent, 'SIGKILL');
    await eventually(() => nameOf(transcoder!.pid) !== 'ffmpeg');
    await expectMade(working, id);
    expect(await rows().findOne({ media_id: id, 'recipe.max_width': maxWidth })).toMatchObject({ attempts: 2, status: 'ready' });
  } finally {
    await working.stop();
  }
});

test('a library that is killed leaves no program running, and another one finishes its work', async () => {
  const doomed = await aLibraryProcess({
    MONGODB_URL: library.infra.mongoUrl,
    MONGODB_DATABASE: library.context.db.databaseName,
    KAFKA_BROKERS: library.infra.kafkaBrokers.join(','),
    KAFKA_TOPIC_PREFIX: library.infra.topicPrefix,
  });
  const { client, close } = testClient(served, doomed.grpcPort);
  let id: string;
  try {
    id = await upload();
    await make({ client }, id);
    const [transcoder] = await eventually(() => transcoders(doomed.pid).length > 0 && transcoders(doomed.pid));
    await doomed.kill();
    await eventually(() => nameOf(transcoder!.pid) !== 'ffmpeg' && nameOf(transcoder!.parent) === undefined);
  } finally {
    close();
    await doomed.kill();
  }
  expect(await rows().findOne({ media_id: id, 'recipe.max_width': maxWidth })).toMatchObject({ attempts: 1, status: 'waiting' });
  // Expires the lease of the killed library.
  await rows().updateOne({ media_id: id, 'recipe.max_width': maxWidth }, { $set: { due_at: new Date(0) } });
  const working = await startLibrary({ database: library.context.db.databaseName, backgroundProcesses: 1 });
  try {
    await expectMade(working, id);
  } finally {
    await working.stop();
  }
});

test('a derivative that kills each worker fails after several attempts', async () => {
  const id = await upload();
  await make(library, id);
  await rows().updateOne({ media_id: id, 'recipe.max_width': maxWidth }, { $set: { attempts: 3 } });
  const working = await startLibrary({ database: library.context.db.databaseName, backgroundProcesses: 1 });
  try {
    const { failure } = await eventually(async () => {
      const response = await make(working, id);
      return response.status === 'MEDIA_STATUS_FAILED' && response;
    });
    expect(failure).toMatchObject({ code: 'internal_error' });
  } finally {
    await working.stop();
  }
});
