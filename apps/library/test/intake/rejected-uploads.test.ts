import { toHeaders } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { Upload } from 'tus-js-client';
import { aCall, aPng, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await startLibrary();
});
afterAll(() => library.stop());

const urlOf = (id: string) => library.local(`http://127.0.0.9/tus/${id}`);
const headers = () => toHeaders(aCall().metadata);

/** Uploads a file with tus-js-client, which requests the offset first if it has the URL of an upload. */
function sendAll(bytes: Buffer, where: { endpoint: string } | { uploadUrl: string }): Promise<void> {
  return new Promise((onSuccess, onError) => {
    new Upload(bytes, { ...where, headers: headers(), retryDelays: [0, 0], onSuccess: () => onSuccess(), onError }).start();
  });
}

const send = (method: string, id: string, more: Readonly<Record<string, string>> = {}) =>
  fetch(urlOf(id), { method, headers: { ...headers(), 'tus-resumable': '1.0.0', ...more } });
const remove = (id: string) =>
  library.client.deleteMedia({ operationId: newId(), mediaId: id, expectedRevisions: [], force: false }, { call: aCall() });

async function rejected(): Promise<string> {
  const id = newId();
  await expect(sendAll(Buffer.alloc(5000, 1), { endpoint: urlOf(id) })).rejects.toThrow(/response code: 400.*invalid_value/);
  return id;
}

test('an upload whose file was rejected cannot be resumed to success', async () => {
  const id = await rejected();
  await expect(sendAll(Buffer.alloc(5000, 1), { uploadUrl: urlOf(id) })).rejects.toThrow(/unable to resume.*response code: 404/);
  const part = await send('PATCH', id, { 'content-type': 'application/offset+octet-stream', 'upload-offset': '5000' });
  expect([part.status, await part.json()]).toEqual([
    404,
    expect.objectContaining({ code: 'resource_not_found', detail: expect.stringMatching(/rejected\. The file is not a JPEG/) as string }),
  ]);
});

test('nor after the failed media was deleted', async () => {
  const id = await rejected();
  await remove(id);
  await expect(sendAll(Buffer.alloc(5000, 1), { uploadUrl: urlOf(id) })).rejects.toThrow(/response code: 404/);
});

test('an upload that became a media is complete, as long as the media exists', async () => {
  const [id, bytes] = [newId(), await aPng()];
  await sendAll(bytes, { endpoint: urlOf(id) });
  await sendAll(bytes, { uploadUrl: urlOf(id) });
  await remove(id);
  await eventually(async () => (await send('HEAD', id)).status === 404);
  await expect(sendAll(bytes, { uploadUrl: urlOf(id) })).rejects.toThrow(/response code: 404/);
});
