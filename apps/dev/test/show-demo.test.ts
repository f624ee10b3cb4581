import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { showDemo } from '../src/demo/show-demo.ts';
import { createSteps } from '../src/steps.ts';

/** An API that rejects every image. */
let api: Server;
let baseUrl: string;
beforeAll(async () => {
  api = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(400, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ detail: 'This is not an image.', param: 'file' }));
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => api.close(resolve)));

const show = (signal: AbortSignal) =>
  showDemo(
    { base_url: baseUrl, api_key: 'fk_test_x', business_id: 'b', integrations: {} },
    { caption: undefined, image: import.meta.filename },
    createSteps(signal, () => {}),
    signal,
  );

test('a rejected image is reported with the message of the API, and the platform keeps running', async () => {
  const printed = jest.spyOn(console, 'log').mockImplementation(() => {});
  await show(new AbortController().signal);
  expect(printed.mock.calls.flat().join('\n')).toMatch(
    /The post was not published: POST \/api\/businesses\/b\/media returned 400: This is not an image\. \(file\)\n.*Fanfare is running\./,
  );
  printed.mockRestore();
});

test('Ctrl-C during the demo still ends the start', async () => {
  await expect(show(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});
