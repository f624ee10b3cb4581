import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aVideo } from '../make-recordings.ts';
import { aCall, aWebServer, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';

const VTT = 'WEBVTT\n\n00:00.000 --> 00:01.000\nGood evening.\n';

interface ProviderRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly form: FormData;
}

/** A provider with the API of https://platform.openai.com/docs/api-reference/audio/createTranscription. */
let requests: ProviderRequest[] = [];
let respond: (response: ServerResponse) => unknown;
let provider: Awaited<ReturnType<typeof aWebServer>>;
let library: TestLibrary;

beforeAll(async () => {
  provider = await aWebServer((request, response) => void read(request).then((one) => (requests.push(one), respond(response))));
  const speechToText = { url: `${provider.origin}/v1`, key: 'secret', model: 'whisper-1', timeoutMs: 5_000, leaseMs: 60_000, retryMs: 10 };
  library = await startLibrary({ backgroundProcesses: 1, config: { speechToText } });
});
afterAll(async () => {
  await library.stop();
  await provider.stop();
});
beforeEach(() => {
  requests = [];
  respond = (response) => response.end(VTT);
});

async function read(request: IncomingMessage): Promise<ProviderRequest> {
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

test('the speech in a video becomes its transcript', async () => {
  const id = await upload();
  const { transcript, revision } = await eventually(async () => {
    const one = await media(id);
    return one.transcript !== '' && one;
  });
  expect({ transcript, revision }).toEqual({ transcript: VTT, revision: 2 });
  expect(requests).toHaveLength(1);
  const [{ method, url, authorization, form }] = requests as [ProviderRequest];
  expect({ method, url, authorization }).toEqual({ method: 'POST', url: '/v1/audio/transcriptions', authorization: 'Bearer secret' });
  expect([form.get('model'), form.get('response_format')]).toEqual(['whisper-1', 'vtt']);
  const file = form.get('file') as File;
  expect(file.name).toBe('speech.mp3');
  expect(file.size).toBeGreaterThan(1_000);
});

test('for a video without audio no transcript is requested', async () => {
  const id = await upload({ silent: true });
  expect(await waiting()).toBe(0);
  expect((await media(id)).transcript).toBe('');
});

test('a transcript that a client wrote in the meantime is kept', async () => {
  let pending: ServerResponse | undefined;
  respond = (response) => (pending = response);
  const id = await upload();
  await eventually(() => pending !== undefined);
  const edit = { operationId: newId(), mediaId: id, expectedRevisions: [], transcript: 'As I meant it.' };
  await library.client.updateMedia({ ...edit, altText: undefined, description: undefined, folderId: undefined }, { call: aCall() });
  pending?.end(VTT);
  await nothingWaits();
  expect(await media(id)).toMatchObject({ transcript: 'As I meant it.', revision: 2 });
});

test.each([500, 429])('a request with the response %d is retried', async (status) => {
  respond = (response) => response.writeHead(requests.length < 3 ? status : 200).end(requests.length < 3 ? 'later' : VTT);
  const id = await upload();
  await eventually(async () => (await media(id)).transcript === VTT);
  expect(requests).toHaveLength(3);
});

test.each<[string, (response: ServerResponse) => unknown]>([
  ['an error', (response) => response.writeHead(400).end('{"error":{}}')],
  ['a page', (response) => response.writeHead(200).end('<html>')],
  ['a response that is too long', (response) => response.writeHead(200).end(`WEBVTT ${'x'.repeat(2_000_000)}`)],
])('%s is not a transcript, and is not retried', async (_what, how) => {
  respond = how;
  const id = await upload();
  await eventually(() => requests.length > 0);
  await nothingWaits();
  expect(requests).toHaveLength(1);
  expect(await media(id)).toMatchObject({ transcript: '', revision: 1, status: 'MEDIA_STATUS_READY' });
});
