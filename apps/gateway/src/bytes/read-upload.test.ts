import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request } from 'express';
import { readUpload } from './read-upload.ts';
import { mediaForm } from './upload-parts.ts';

const PACE = { windowMs: 100, windowBytes: 1000, checkMs: 10 };

let server: Server;
let rejected: (error: unknown) => void;
beforeAll(async () => {
  server = createServer((incoming, response) => {
    const request = Object.assign(incoming, { res: response }) as unknown as Request;
    const onFile = ({ file }: { file: NodeJS.ReadableStream }) => void file.resume();
    void readUpload(request, { parts: mediaForm, onFile }, PACE).catch(
      (error: unknown) => (rejected(error), response.writeHead(400).end()),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))));

test.each([
  ['file', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it and then'],
  [undefined, '--x\r\nContent-Disposition: form-data; name="alt_text"\r\n\r\nsome'],
])('a form that stops is cut off, and the error names the file if it was being sent: %s', async (param, sent) => {
  const rejection = new Promise((resolve) => (rejected = resolve));
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 100_000 };
  const request = httpRequest({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST', headers });
  request.on('error', () => undefined).write(sent);
  expect(await rejection).toMatchObject({ code: 'invalid_request', param, detail: expect.stringContaining('too slow') });
});
