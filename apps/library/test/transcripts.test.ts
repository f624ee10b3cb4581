import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aVideo } from './make-recordings.ts';
import { aCall, aWebServer, mediaOf, startLibrary, type TestLibrary } from './start-library.ts';

const VTT = 'WEBVTT\n\n00:00.000 --> 00:01.000\nGood evening.\n';

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly form: FormData;
}

/** Speaks the protocol of https://platform.openai.com/docs/api-reference/audio/createTranscription. */
let asked: Asked[] = [];
let answer: (response: ServerResponse) => unknown;
let provider: Awaited<ReturnType<typeof aWebServer>>;
let library: TestLibrary;

beforeAll(async () => {
  provider = await aWebServer((request, response) => void hear(request).then((one) => (asked.push(one), answer(response))));
  const speechToText = { url: `${provider.origin}/v1`, key: 'secret', model: 'whisper-1', timeoutMs: 5_000, leaseMs: 60_000, retryMs: 10 };
  library = await startLibrary({ backgroundProcesses: 1, config: { speechToText } });
});
afterAll(async () => {
  await library.stop();
  await provider.stop();
});
beforeEach(() => {
  asked = [];
  answer = (response) => response.end(VTT);
});

async function hear(request: IncomingMessage): Promise<Asked> {
  const { method, url, headers } = request;
  const chunks = await request.toArray();
  const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  return { method, url, authorization: headers.authorization, form };
}

async function upload(options: Parameters<typeof aVideo>[0] = {}): Promise<string> {
  const id = newId();
  await mediaOf(await library.upload(id, new Uint8Array(await aVideo(options))));
  return id;
}

const media = async (mediaId: string) => (await library.client.getMedia({ mediaId }, { call: aCall() })).media!;
const waiting = () => library.context.db.collection('transcriptions').countDocuments();
const nothingWaits = () => eventually(async () => (await waiting()) === 0);

test('what is said in a video becomes its transcript', async () => {
  const id = await upload();
  const { transcript, revision } = await eventually(async () => {
    const one = await media(id);
    return one.transcript !== '' && one;
  });
  expect({ transcript, revision }).toEqual({ transcript: VTT, revision: 2 });
  expect(asked).toHaveLength(1);
  const [{ method, url, authorization, form }] = asked as [Asked];
  expect({ method, url, authorization }).toEqual({ method: 'POST', url: '/v1/audio/transcriptions', authorization: 'Bearer secret' });
  expect([form.get('model'), form.get('response_format')]).toEqual(['whisper-1', 'vtt']);
  const file = form.get('file') as File;
  expect(file.name).toBe('speech.mp3');
  expect(file.size).toBeGreaterThan(1_000);
});

test('of a video without sound nothing is asked', async () => {
  const id = await upload({ silent: true });
  expect(await waiting()).toBe(0);
  expect((await media(id)).transcript).toBe('');
});

test('a transcript that somebody gave meanwhile stays', async () => {
  let held: ServerResponse | undefined;
  answer = (response) => (held = response);
  const id = await upload();
  await eventually(() => held !== undefined);
  const edit = { operationId: newId(), mediaId: id, expectedRevisions: [], transcript: 'As I meant it.' };
  await library.client.updateMedia({ ...edit, altText: undefined, description: undefined, folderId: undefined }, { call: aCall() });
  held?.end(VTT);
  await nothingWaits();
  expect(await media(id)).toMatchObject({ transcript: 'As I meant it.', revision: 2 });
});

test.each([500, 429])('a provider that answers %d is asked again', async (status) => {
  answer = (response) => response.writeHead(asked.length < 3 ? status : 200).end(asked.length < 3 ? 'later' : VTT);
  const id = await upload();
  await eventually(async () => (await media(id)).transcript === VTT);
  expect(asked).toHaveLength(3);
});

test.each<[string, (response: ServerResponse) => unknown]>([
  ['a rejection', (response) => response.writeHead(400).end('{"error":{}}')],
  ['a page', (response) => response.writeHead(200).end('<html>')],
  ['far too much', (response) => response.writeHead(200).end(`WEBVTT ${'x'.repeat(2_000_000)}`)],
])('%s is no transcript, and is not asked for again', async (_what, answers) => {
  answer = answers;
  const id = await upload();
  await eventually(() => asked.length > 0);
  await nothingWaits();
  expect(asked).toHaveLength(1);
  expect(await media(id)).toMatchObject({ transcript: '', revision: 1, status: 'MEDIA_STATUS_READY' });
});
