import { MAX_FORM_BYTES } from '../../src/http/request/read-form.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const DEAUTHORIZE = '/api/integrations/meta/deauthorize';
const DELETION = '/api/integrations/meta/data-deletion';
const FORM = 'application/x-www-form-urlencoded';
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const post = (path: string, body: string | Buffer, headers: Record<string, string> = { 'content-type': FORM }) =>
  gateway.call(path, { method: 'POST', key: null, body, headers });
const calls = () => gateway.services.calls.filter(({ method }) => method === 'deauthorizeMetaUser' || method === 'deleteMetaUserData');

test('a deauthorization is passed on as Meta signed it, without a credential', async () => {
  const response = await post(DEAUTHORIZE, 'signed_request=signed.eyJ9&added_later=1', { 'content-type': `${FORM}; charset=UTF-8` });
  expect([response.status, await response.json()]).toEqual([200, {}]);
  expect(calls().at(-1)).toMatchObject({ method: 'deauthorizeMetaUser', request: { signedRequest: 'signed.eyJ9' } });
});

test('a data deletion request gets a code, and a page with its status', async () => {
  const response = await post(DELETION, 'signed_request=signed.eyJ9');
  expect(response.status).toBe(200);
  const url = `https://api.example.com${DELETION}/c0de`;
  expect(await response.json()).toEqual({ url, confirmation_code: 'c0de' });

  const page = await gateway.call(`${DELETION}/c0de`, { key: null, headers: HTML });
  expect([page.status, page.headers.get('content-type'), page.headers.get('referrer-policy')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-referrer',
  ]);
  expect(await page.text()).toContain('c0de');
  const json = await gateway.call(`${DELETION}/c0de`, { key: null });
  expect(await json.json()).toMatchObject({ confirmation_code: 'c0de', status: 'completed' });
});

test('an unknown code is not found, for people and for programs', async () => {
  const page = await gateway.call(`${DELETION}/c0d3`, { key: null, headers: HTML });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  await expectProblem(await gateway.call(`${DELETION}/c0d3`, { key: null }), { status: 404, code: 'resource_not_found' });
});

describe.each([DEAUTHORIZE, DELETION])('%s', (path) => {
  test.each([
    ['an unsigned request', 'signed_request=x.y', { status: 400, code: 'invalid_request', param: 'signed_request' }],
    ['nothing', '', { status: 400, code: 'missing_field', param: 'signed_request' }],
    ['another field', 'signed=x', { status: 400, code: 'missing_field', param: 'signed_request' }],
    ['an empty one', 'signed_request=', { status: 422, code: 'validation_failed', param: 'signed_request' }],
    ['two', 'signed_request=signed.a&signed_request=signed.b', { status: 400, code: 'invalid_request' }],
    ['a long one', `signed_request=signed.${'x'.repeat(8192)}`, { status: 422, code: 'validation_failed', param: 'signed_request' }],
    ['a huge one', `signed_request=signed.${'x'.repeat(MAX_FORM_BYTES)}`, { status: 413, code: 'payload_too_large' }],
    ['invalid UTF-8', Buffer.from([0x61, 0x3d, 0xff]), { status: 400, code: 'invalid_request' }],
  ] as const)('rejects %s', async (what, body, expected) => {
    const before = calls().length;
    await expectProblem(await post(path, body), expected);
    // The publisher checks the signature; everything else is rejected here.
    expect(calls()).toHaveLength(before + (what === 'an unsigned request' ? 1 : 0));
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', `${FORM}; charset=latin1`])(
    'rejects a body of type %s',
    async (type) => {
      const response = await post(path, 'signed_request=signed.x', { 'content-type': type });
      await expectProblem(response, { status: 415, code: 'unsupported_media_type' });
    },
  );
});
