import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aMedia, BYTES } from '../values.ts';
import { BASE_URL, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
  path = `/api/businesses/${gateway.businessId}/media`;
});
afterAll(() => gateway.stop());

describe('media from a URL', () => {
  const url = 'https://images.example/1.jpg';

  it('is imported into the business', async () => {
    const response = await gateway.post('/api/media/from-url', { business_id: gateway.businessId, url });
    const media = (await response.json()) as { id: string };
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`${BASE_URL}${path}/${media.id}`);
    expect(gateway.services.calls.at(-1)).toMatchObject({
      method: 'importMedia',
      request: { mediaId: media.id, url, param: 'url' },
      metadata: { organizationId: gateway.organizationId, businessId: gateway.businessId },
    });
  });

  it('is processed in the background if it takes longer: 202, with a URL to poll', async () => {
    const body = { business_id: gateway.businessId, url: 'https://images.example/large.mov', alt_text: 'Bread', folder_id: newId() };
    const headers = { 'content-type': 'application/json', 'idempotency-key': newId() };
    const importMedia = () => gateway.call('/api/media/from-url', { method: 'POST', headers, body: JSON.stringify(body) });
    const [first, again] = [await importMedia(), await importMedia()];
    const media = (await first.json()) as { id: string };
    expect(first.status).toBe(202);
    expect(first.headers.get('location')).toBe(`${BASE_URL}${path}/${media.id}`);
    expect(media).toMatchObject({ status: 'processing' });
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({ mayContinue: true, altText: 'Bread', folderId: body.folder_id });
    expect([again.status, again.headers.get('location'), await again.json()]).toEqual([202, first.headers.get('location'), media]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('that this API serves is the existing media of the business, and no field of it is overwritten', async () => {
    const known = aMedia({ id: newId(), businessId: gateway.businessId, url: `${BASE_URL}/media/known/s`, altText: 'Bread' });
    gateway.services.media.set(known.id, known);
    const send = (more: object) => gateway.post('/api/media/from-url', { business_id: gateway.businessId, url: known.url, ...more });
    for (const more of [{}, { alt_text: 'Bread' }, { folder_id: null }]) {
      const response = await send(more);
      expect([response.status, await response.json()]).toEqual([201, expect.objectContaining({ id: known.id })]);
    }
    await expectProblem(await send({ alt_text: 'Cake' }), { status: 400, code: 'invalid_request', param: 'alt_text' });
    await expectProblem(await send({ folder_id: newId() }), { status: 400, code: 'invalid_request', param: 'folder_id' });
  });

  it.each(['toString', '__proto__'])('passes %s, which is not a URL, to the library to reject', async (given) => {
    const before = gateway.services.calls.length;
    await gateway.post('/api/media/from-url', { business_id: gateway.businessId, url: given });
    const calls = gateway.services.calls.slice(before);
    expect(calls).toContainEqual(expect.objectContaining({ method: 'importMedia', request: expect.objectContaining({ url: given }) }));
  });

  it('rejects an invalid folder id', async () => {
    const response = await gateway.post('/api/media/from-url', { business_id: gateway.businessId, url, folder_id: 'x' });
    await expectProblem(response, { status: 400, code: 'invalid_value', param: 'folder_id' });
  });

  it('requires a business of the caller', async () => {
    const send = (business_id: string) => gateway.post('/api/media/from-url', { business_id, url });
    await expectProblem(await send('123'), { status: 400, code: 'invalid_value', param: 'business_id' });
    await expectProblem(await send('019a0000-0000-7000-8000-000000000000'), { status: 404, code: 'resource_not_found' });
    await expectProblem(await send(gateway.foreignBusinessId), { status: 403, code: 'permission_denied', param: 'business_id' });
    await expectProblem(await gateway.post('/api/media/from-url', { url }), { status: 400, code: 'missing_field', param: 'business_id' });
  });
});

describe('signed media', () => {
  const read = (tail: string, init: RequestInit = {}) => gateway.call(`/media/${tail}`, { key: null, ...init });

  it('is streamed without a credential, with its own request id', async () => {
    const response = await read('known/s?expires=1');
    expect([response.status, await response.text()]).toEqual([200, BYTES]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(BYTES.length),
      etag: '"v1"',
      'accept-ranges': 'bytes',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(response.headers.get('keep-alive')).not.toBe('timeout=9');
  });

  it('returns HEAD, ranges and conditional requests like the library', async () => {
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

  it('pipelined requests are passed to the library one by one', async () => {
    const socket = connect(gateway.server.httpPort, '127.0.0.1');
    for (const name of ['a', 'b', 'c']) socket.write(`GET /media/silent/${name} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually(() => gateway.services.silent.length > 0);
    // By now the others would have arrived too.
    await read('known/s');
    expect(gateway.services.silent).toEqual(['/media/silent/a']);
    socket.destroy();
  });

  it('is a problem if it does not exist', async () => {
    await expectProblem(await read('unknown/s'), { status: 404, code: 'resource_not_found' });
    await expectProblem(await read(''), { status: 404, code: 'resource_not_found' });
    const response = await read('known/s', { method: 'DELETE' });
    await expectProblem(response, { status: 405, code: 'method_not_allowed' });
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  it.each(['/media/../uploads/1', '/media/%2e%2e/uploads/1'])('cannot leave the folder: %s', async (dotted) => {
    const status = await new Promise((resolve) => {
      httpRequest({ host: '127.0.0.1', port: gateway.server.httpPort, path: dotted }, (response) =>
        resolve(response.resume().statusCode),
      ).end();
    });
    expect(status).toBe(404);
  });
});
