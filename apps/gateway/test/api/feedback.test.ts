import { newId } from '@fanfare/runtime';
import { aPost } from '../values.ts';
import { mailsTo } from '../people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ OPERATOR_MAIL: 'operators@example.com' });
});
afterAll(() => gateway.stop());

interface Feedback {
  id: string;
  message: string;
}
const aPostOf = async (businessId: string) => {
  const post = aPost({ id: newId(), businessId });
  gateway.services.posts.set(post.id, post);
  return post.id;
};
const list = async (query = '', init: { key?: string } = {}) =>
  (await (await gateway.call(`/api/feedback${query}`, init)).json()) as { items: Feedback[]; next: string | null };

it('stores feedback, and returns it unchanged', async () => {
  const post_id = await aPostOf(gateway.businessId);
  const body = { message: 'It <b>crashed</b> 🎺\n$where', category: 'bug', page_url: 'https://app.example.com/posts?x=1', post_id };
  const response = await gateway.post('/api/feedback', body);
  const { id } = (await response.clone().json()) as Feedback;
  const expected = {
    ...body,
    id,
    organization_id: gateway.organizationId,
    created_at: expect.any(String),
    created_by: { type: 'key', id: expect.any(String), name: 'test' },
  };
  expect([response.status, await response.json()]).toEqual([201, expected]);
  expect(response.headers.get('location')).toBe(`https://api.example.com/api/feedback/${id}`);
  const read = await gateway.call(`/api/feedback/${id}`);
  expect(await read.json()).toEqual(expected);
  const etag = read.headers.get('etag')!;
  expect((await gateway.call(`/api/feedback/${id}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
});

it('can only be about a post of its own organization', async () => {
  const rejections = [];
  for (const post_id of [await aPostOf(gateway.foreignBusinessId), newId(), 'p-1']) {
    const { detail } = await expectProblem(await gateway.post('/api/feedback', { message: 'x', post_id }), {
      status: 400,
      code: 'invalid_value',
      param: 'post_id',
    });
    rejections.push(detail);
  }
  expect(new Set(rejections).size).toBe(1);
});

it('is mailed to the operators once, with its links as text, and operators can list it', async () => {
  const key = await gateway.newKey();
  const headers = { 'content-type': 'application/json', 'idempotency-key': newId() };
  const message = `See http://evil.example/ now.\n\n${'Long. '.repeat(400)}`;
  const body = JSON.stringify({ message, category: 'idea', page_url: 'https://app.example.com/posts' });
  const send = async () => (await (await gateway.call('/api/feedback', { key, method: 'POST', body, headers })).json()) as Feedback;
  const [{ id }] = [await send(), await send()];
  const mails = (await mailsTo(gateway, 'operators@example.com')).filter(({ text }) => text.includes(id));
  expect(mails).toHaveLength(1);
  expect(mails[0]?.template).toBe('feedback');
  expect(mails[0]?.text.match(/Long\./g)).toHaveLength(400);
  expect(mails[0]?.text).not.toContain('http://evil.example');

  const all = await gateway.admin.listFeedback({ pageSize: 1, pageToken: '' }, admin);
  expect(all).toMatchObject({ feedback: [{ id, message, category: 'idea' }], nextPageToken: expect.stringMatching(/./) as string });
  const organizationId = all.feedback[0]?.organizationId;
  const own = await gateway.admin.listFeedback({ organizationId, pageSize: 100, pageToken: '' }, admin);
  expect(own).toMatchObject({ feedback: [{ id }], nextPageToken: '' });
});

it('needs only a message', async () => {
  const response = await gateway.post('/api/feedback', { message: 'Nice', page_url: null });
  expect(await response.json()).toMatchObject({ message: 'Nice', category: 'other', page_url: null, post_id: null });
});

it('is sent once for an Idempotency-Key', async () => {
  const headers = { 'idempotency-key': newId() };
  const send = async () => (await (await gateway.post('/api/feedback', { message: 'Once' }, headers)).json()) as Feedback;
  const sent = await Promise.all([send(), send(), send()]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect((await list('?limit=100')).items.filter(({ message }) => message === 'Once')).toHaveLength(1);
});

it('is listed newest first, to its own organization only', async () => {
  const key = await gateway.newKey();
  const headers = { 'content-type': 'application/json' };
  for (const message of ['1', '2', '3']) {
    await gateway.call('/api/feedback', { key, method: 'POST', body: JSON.stringify({ message }), headers });
  }
  const first = await list('?limit=2', { key });
  const second = await list(`?limit=2&cursor=${first.next}`, { key });
  expect([first, second].map(({ items }) => items.map(({ message }) => message))).toEqual([['3', '2'], ['1']]);
  expect(second.next).toBeNull();
  await expectProblem(await gateway.call(`/api/feedback/${first.items[0]!.id}`), { status: 404, code: 'resource_not_found' });
  expect((await list('?limit=100')).items.map(({ message }) => message)).not.toContain('3');
});

it('is accepted from every role of the organization', async () => {
  const key = await signedIn(gateway, { [gateway.organizationId]: 'viewer' });
  const headers = { 'content-type': 'application/json' };
  const response = await gateway.call('/api/feedback', { key, method: 'POST', body: '{"message":"Hello"}', headers });
  expect([response.status, await response.json()]).toEqual([
    201,
    expect.objectContaining({ created_by: expect.objectContaining({ type: 'user' }) }),
  ]);
});

it.each([
  [{}, 400, 'missing_field', 'message'],
  [{ message: '\n' }, 422, 'validation_failed', 'message'],
  [{ message: 'x'.repeat(5001) }, 422, 'validation_failed', 'message'],
  [{ message: 'x', category: 'rant' }, 422, 'validation_failed', 'category'],
  [{ message: 'x', page_url: 'javascript:alert(1)' }, 422, 'validation_failed', 'page_url'],
])('rejects %j', async (body, status, code, param) => {
  await expectProblem(await gateway.post('/api/feedback', body), { status, code, param });
});
