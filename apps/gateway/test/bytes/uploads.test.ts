import { request as httpRequest } from 'node:http';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { BYTES } from '../values.ts';
import { BASE_URL, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
let ofBusiness: string;
beforeAll(async () => {
  gateway = await startGateway();
  ofBusiness = `/api/businesses/${gateway.businessId}/media`;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.services.uploads.clear());

type Part = readonly [string, string | Blob, string?];

const form = (parts: readonly Part[]) => {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (value instanceof Blob) data.append(name, value, fileName ?? 'a.png');
    else data.append(name, value);
  }
  return data;
};
const send = (path: string, parts: readonly Part[], headers: Record<string, string> = {}) =>
  gateway.call(path, { method: 'POST', body: form(parts), headers });
const image = new Blob([BYTES]);
const stored = () => [...gateway.services.uploads.values()].filter(({ complete }) => complete);

/** The two operations, which differ only in where the business is named. */
const doors = [
  ['/api/businesses/{business_id}/media', () => ({ path: ofBusiness, first: [] as Part[] })],
  ['/api/media/uploads', () => ({ path: '/api/media/uploads', first: [['business_id', gateway.businessId]] as Part[] })],
] as const;

describe.each(doors)('POST %s', (_path, door) => {
  const upload = (...parts: Part[]) => send(door().path, [...door().first, ...parts]);

  it('streams the file to the library and returns the media', async () => {
    const response = await upload(
      ['alt_text', 'Brot & Brötchen'],
      ['description', 'Im Ofen 🥐'],
      ['folder_id', newId()],
      ['file', image, 'b/../ofen.png'],
    );
    const media = (await response.json()) as { id: string };
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`${BASE_URL}${ofBusiness}/${media.id}`);
    expect(media).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      business_id: gateway.businessId,
      size_bytes: BYTES.length,
      alt_text: 'Brot & Brötchen',
      description: 'Im Ofen 🥐',
      file_name: 'ofen.png',
      source: 'upload',
    });
    expect(stored()).toMatchObject([
      {
        body: BYTES,
        headers: {
          'x-organization-id': gateway.organizationId,
          'x-business-id': gateway.businessId,
          'x-request-id': response.headers.get('x-request-id'),
        },
      },
    ]);
  });

  it("passes the library's rejection on", async () => {
    await expectProblem(await upload(['file', new Blob(['no image'])]), { status: 400, code: 'invalid_value', param: 'file' });
  });

  it.each<[string, Part[], number, string, string]>([
    ['no file', [['alt_text', 'x']], 400, 'missing_field', 'file'],
    ['an unknown field', [['colour', 'red'], ['file', image]], 422, 'validation_failed', 'colour'], // prettier-ignore
    ['an unknown field after the file', [['file', image], ['colour', 'red']], 422, 'validation_failed', 'colour'], // prettier-ignore
    ['a file with another name', [['picture', image]], 422, 'validation_failed', 'picture'],
    ['a file that is text', [['file', 'text']], 422, 'validation_failed', 'file'],
    ['a text part that is a file', [['alt_text', image], ['file', image]], 422, 'validation_failed', 'alt_text'], // prettier-ignore
    ['alt_text after the file', [['file', image], ['alt_text', 'x']], 400, 'invalid_request', 'alt_text'], // prettier-ignore
    ['alt_text twice', [['alt_text', 'x'], ['alt_text', 'y'], ['file', image]], 422, 'validation_failed', 'alt_text'], // prettier-ignore
    ['two files', [['file', image], ['file', image]], 422, 'validation_failed', 'file'], // prettier-ignore
    ['too long an alt_text', [['alt_text', 'x'.repeat(2001)], ['file', image]], 422, 'validation_failed', 'alt_text'], // prettier-ignore
    ['too long a description', [['description', '例'.repeat(5001)], ['file', image]], 422, 'validation_failed', 'description'], // prettier-ignore
    ['a NUL character', [['alt_text', 'a\0b'], ['file', image]], 422, 'validation_failed', 'alt_text'], // prettier-ignore
    ['a field called __proto__', [['__proto__', 'x'], ['file', image]], 422, 'validation_failed', '__proto__'], // prettier-ignore
  ])('rejects %s and stores nothing', async (_what, parts, status, code, param) => {
    await expectProblem(await upload(...parts), { status, code, param });
    expect(stored()).toEqual([]);
  });

  it('lists all problems', async () => {
    const response = await upload(['alt_text', 'x'.repeat(2001)], ['colour', 'red'], ['file', 'text'], ['size', 'big'], ['colour', 'blue']);
    const problem = await expectProblem(response, { status: 422, code: 'validation_failed', param: 'alt_text' });
    const errors = problem['errors'] as { param: string }[];
    expect(errors.map(({ param }) => param).sort()).toEqual(['alt_text', 'colour', 'colour', 'file', 'size']);
  });

  it('rejects endless parts', async () => {
    const many = Array.from({ length: 200 }, (_, at) => [`part${at}`, 'x'] as const);
    const problem = await expectProblem(await upload(...many, ['file', image]), {
      status: 422,
      code: 'validation_failed',
      param: expect.any(String) as string,
    });
    expect((problem['errors'] as unknown[]).length).toBeLessThan(30);
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
  ])('rejects a body of type %s: %j', async (type, body, status, code) => {
    const response = await gateway.call(door().path, { method: 'POST', body, headers: { 'content-type': type } });
    await expectProblem(response, { status, code });
    expect(stored()).toEqual([]);
  });

  it('rejects a compressed body', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': 'gzip' };
    const response = await gateway.call(door().path, { method: 'POST', body: 'x', headers });
    await expectProblem(response, { status: 415, code: 'unsupported_media_type', param: 'Content-Encoding' });
  });

  it('disconnects from the library when the client disconnects', async () => {
    const { first, path } = door();
    const before = first
      .map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value as string}\r\n`)
      .join('');
    const request = httpRequest(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'multipart/form-data; boundary=x', 'content-length': 100_000 },
    });
    request.on('error', () => undefined);
    request.write(`${before}--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it and then some`);
    await eventually(() => gateway.services.uploads.size === 1);
    // The library gets a lower bound of the file size in advance.
    expect([...gateway.services.uploads.values()][0]?.headers['x-declared-bytes']).toBe(String(100_000 - 64 * 1024));
    request.destroy();
    await eventually(() => [...gateway.services.uploads.values()][0]?.ended);
    expect(stored()).toEqual([]);
  });

  it('happens once with an Idempotency-Key, and is another request with another file or another text', async () => {
    const headers = { 'idempotency-key': newId() };
    const again = (...parts: Part[]) => send(door().path, [...door().first, ...parts], headers);
    const first = await (await again(['alt_text', 'x'], ['file', image])).text();
    const repeat = await again(['alt_text', 'x'], ['file', image]);
    expect([repeat.status, repeat.headers.get('idempotency-replayed'), await repeat.text()]).toEqual([201, 'true', first]);
    for (const parts of [
      [['file', image]],
      [
        ['alt_text', 'x'],
        ['file', new Blob(['other'])],
      ],
    ] as Part[][]) {
      await expectProblem(await again(...parts), { status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
    }
    expect(stored()).toHaveLength(1);
  });
});

describe('a form that names its business', () => {
  const path = '/api/media/uploads';

  it.each([
    ['none', [], 400, 'missing_field'],
    ['no UUID', [['business_id', '123']], 400, 'invalid_value'],
  ] as [string, Part[], number, string][])('needs one: %s', async (_what, first, status, code) => {
    await expectProblem(await send(path, [...first, ['file', image]]), { status, code, param: 'business_id' });
    expect(gateway.services.uploads.size).toBe(0);
  });

  it('requires a business of the caller', async () => {
    const to = (id: string) =>
      send(path, [
        ['business_id', id],
        ['file', image],
      ]);
    await expectProblem(await to(newId()), { status: 404, code: 'resource_not_found' });
    await expectProblem(await to(gateway.foreignBusinessId), { status: 403, code: 'permission_denied', param: 'business_id' });
    expect(gateway.services.uploads.size).toBe(0);
  });

  it('requires it before the file', async () => {
    const response = await send(path, [
      ['file', image],
      ['business_id', gateway.businessId],
    ]);
    await expectProblem(response, { status: 400, code: 'invalid_request', param: 'business_id' });
    expect(stored()).toEqual([]);
  });
});
