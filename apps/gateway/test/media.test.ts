import { request as httpRequest } from 'node:http';
import { eventually } from '@fanfare/testing';
import { BYTES } from './fake-services.ts';
import { BASE_URL, expectProblem, startGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
  path = `/api/businesses/${gateway.businessId}/media`;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.services.uploads.clear());

const form = (...parts: [string, string | Blob][]) => {
  const data = new FormData();
  for (const [name, value] of parts) data.append(name, value);
  return data;
};
const upload = (...parts: [string, string | Blob][]) => gateway.call(path, { method: 'POST', body: form(...parts) });
const picture = new Blob([BYTES]);
const stored = () => [...gateway.services.uploads.values()].filter(({ complete }) => complete);

describe('uploading media', () => {
  it('streams the file to the library and answers with the media', async () => {
    const answer = await upload(['alt_text', 'Brot & Br\u00f6tchen'], ['file', picture]);
    const media = (await answer.json()) as { id: string };
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${BASE_URL}${path}/${media.id}`);
    expect(media).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      business_id: gateway.businessId,
      created_at: '2026-08-06T09:30:00.000Z',
      type: 'image',
      mime_type: 'image/png',
      size_bytes: BYTES.length,
      width: 2,
      height: 3,
      duration_ms: null,
      url: 'http://127.0.0.1/media/known/s',
      alt_text: 'Brot & Br\u00f6tchen',
      source: 'upload',
    });
    expect(stored()).toMatchObject([
      { body: BYTES, headers: { 'x-organization-id': gateway.organizationId, 'x-request-id': answer.headers.get('x-request-id') } },
    ]);
  });

  it("passes the library's refusal on", async () => {
    await expectProblem(await upload(['file', new Blob(['no image'])]), { status: 400, code: 'invalid_value', param: 'file' });
  });

  it.each([
    ['no file', [['alt_text', 'x']], 400, 'missing_field', 'file'],
    [
      'an unknown field',
      [
        ['colour', 'red'],
        ['file', picture],
      ],
      422,
      'validation_failed',
      'colour',
    ],
    [
      'an unknown field after the file',
      [
        ['file', picture],
        ['colour', 'red'],
      ],
      422,
      'validation_failed',
      'colour',
    ],
    ['a file of another name', [['picture', picture]], 422, 'validation_failed', 'picture'],
    [
      'alt_text after the file',
      [
        ['file', picture],
        ['alt_text', 'x'],
      ],
      400,
      'invalid_request',
      'alt_text',
    ],
    [
      'two files',
      [
        ['file', picture],
        ['file', picture],
      ],
      422,
      'validation_failed',
      'file',
    ],
    [
      'too long an alt_text',
      [
        ['alt_text', 'x'.repeat(2001)],
        ['file', picture],
      ],
      422,
      'validation_failed',
      'alt_text',
    ],
  ] as const)('refuses %s and stores nothing', async (_what, parts, status, code, param) => {
    await expectProblem(await upload(...(parts as unknown as [string, Blob][])), { status, code, param });
    expect(stored()).toEqual([]);
  });

  it.each([
    ['application/json', '{}', 415, 'unsupported_media_type'],
    ['multipart/form-data', '', 400, 'invalid_request'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ncut',
      400,
      'invalid_request',
    ],
  ])('refuses a body of type %s: %j', async (type, body, status, code) => {
    const answer = await gateway.call(path, { method: 'POST', body, headers: { 'content-type': type } });
    await expectProblem(answer, { status, code });
    expect(stored()).toEqual([]);
  });

  it('hangs up on the library when the caller hangs up', async () => {
    const request = httpRequest(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'multipart/form-data; boundary=x' },
    });
    request.on('error', () => undefined);
    request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it and then some');
    await eventually(() => gateway.services.uploads.size === 1);
    request.destroy();
    await eventually(() => [...gateway.services.uploads.values()][0]?.ended);
    expect(stored()).toEqual([]);
  });
});

describe('media from a URL', () => {
  const url = 'https://pictures.example/1.jpg';

  it('is imported into the business', async () => {
    const answer = await gateway.post('/api/media/from-url', { business_id: gateway.businessId, url });
    const media = (await answer.json()) as { id: string };
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${BASE_URL}${path}/${media.id}`);
    expect(gateway.services.calls.at(-1)).toMatchObject({
      method: 'importMedia',
      request: { mediaId: media.id, url, param: 'url' },
      metadata: { organizationId: gateway.organizationId, businessId: gateway.businessId },
    });
  });

  it('needs a business of the caller', async () => {
    const send = (business_id: string) => gateway.post('/api/media/from-url', { business_id, url });
    await expectProblem(await send('123'), { status: 400, code: 'invalid_value', param: 'business_id' });
    await expectProblem(await send('019a0000-0000-7000-8000-000000000000'), { status: 404, code: 'resource_not_found' });
    await expectProblem(await send(gateway.foreignBusinessId), { status: 403, code: 'permission_denied', param: 'business_id' });
    await expectProblem(await gateway.post('/api/media/from-url', { url }), { status: 400, code: 'missing_field', param: 'business_id' });
  });
});

describe('signed media', () => {
  const read = (tail: string, init: RequestInit = {}) => gateway.call(`/media/${tail}`, { key: null, ...init });

  it('is streamed without a credential, with our own ids', async () => {
    const answer = await read('known/s?expires=1');
    expect([answer.status, await answer.text()]).toEqual([200, BYTES]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(BYTES.length),
      etag: '"v1"',
      'accept-ranges': 'bytes',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(answer.headers.get('keep-alive')).not.toBe('timeout=9');
  });

  it('answers HEAD, ranges and conditions as the library does', async () => {
    const head = await read('known/s', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(BYTES.length), '']);
    const part = await read('known/s', { headers: { range: 'bytes=4-8' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-8/${BYTES.length}`,
      BYTES.slice(4, 9),
    ]);
    expect((await read('known/s', { headers: { range: 'bytes=900-' } })).status).toBe(416);
    expect((await read('known/s', { headers: { 'if-none-match': '"v1"' } })).status).toBe(304);
  });

  it('is a problem when there is none', async () => {
    await expectProblem(await read('unknown/s'), { status: 404, code: 'resource_not_found' });
    await expectProblem(await read(''), { status: 404, code: 'resource_not_found' });
    const answer = await read('known/s', { method: 'DELETE' });
    await expectProblem(answer, { status: 405, code: 'method_not_allowed' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  it.each(['/media/../uploads/1', '/media/%2e%2e/uploads/1'])('leads nowhere else: %s', async (dotted) => {
    const status = await new Promise((resolve) => {
      httpRequest({ host: '127.0.0.1', port: gateway.server.httpPort, path: dotted }, (answer) =>
        resolve(answer.resume().statusCode),
      ).end();
    });
    expect(status).toBe(404);
  });
});
