import { toHeaders } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { Upload } from 'tus-js-client';
import { aCall, aPng, startLibrary, type TestLibrary } from './start-library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await startLibrary();
});
afterAll(() => library.stop());

const urlOf = (id: string) => library.local(`http://127.0.0.9/tus/${id}`);
const headers = () => toHeaders(aCall().metadata);

/** Sends a file with the client that customers use, which asks first how much is there when it is told where. */
function sendAll(bytes: Buffer, where: { endpoint: string } | { uploadUrl: string }): Promise<void> {
  return new Promise((onSuccess, onError) => {
    new Upload(bytes, { ...where, headers: headers(), retryDelays: [0, 0], onSuccess: () => onSuccess(), onError }).start();
  });
}

const ask = (method: string, id: string, more: Readonly<Record<string, string>> = {}) =>
  fetch(urlOf(id), { method, headers: { ...headers(), 'tus-resumable': '1.0.0', ...more } });
const remove = (id: string) =>
  library.client.deleteMedia({ operationId: newId(), mediaId: id, expectedRevisions: [], force: false }, { call: aCall() });

async function rejected(): Promise<string> {
  const id = newId();
  await expect(sendAll(Buffer.alloc(5000, 1), { endpoint: urlOf(id) })).rejects.toThrow(/response code: 400.*invalid_value/);
  return id;
}

test('a file that was rejected cannot be resumed to success', async () => {
  const id = await rejected();
  await expect(sendAll(Buffer.alloc(5000, 1), { uploadUrl: urlOf(id) })).rejects.toThrow(/unable to resume.*response code: 404/);
  const part = await ask('PATCH', id, { 'content-type': 'application/offset+octet-stream', 'upload-offset': '5000' });
  expect([part.status, await part.json()]).toEqual([
    404,
    expect.objectContaining({ code: 'resource_not_found', detail: expect.stringMatching(/rejected\. The file is not a JPEG/) as string }),
  ]);
});

test('nor when the media that failed was deleted', async () => {
  const id = await rejected();
  await remove(id);
  await expect(sendAll(Buffer.alloc(5000, 1), { uploadUrl: urlOf(id) })).rejects.toThrow(/response code: 404/);
});

test('what became a media is done, for as long as the media is there', async () => {
  const [id, bytes] = [newId(), await aPng()];
  await sendAll(bytes, { endpoint: urlOf(id) });
  await sendAll(bytes, { uploadUrl: urlOf(id) });
  await remove(id);
  await eventually(async () => (await ask('HEAD', id)).status === 404);
  await expect(sendAll(bytes, { uploadUrl: urlOf(id) })).rejects.toThrow(/response code: 404/);
});
