import { newId } from '@fanfare/runtime';
import { aPost } from '../values.ts';
import { BASE_URL, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const open = (path: string, accept = 'text/html,*/*;q=0.8') => gateway.call(path, { key: null, headers: { accept } });

test('without a web app, the page at a reconnect URL says how to reconnect', async () => {
  const { businessId } = gateway;
  for (const accept of ['text/html,*/*;q=0.8', '*/*']) {
    const response = await open(`/businesses/${businessId}/integrations/${newId()}/reconnect`, accept);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await response.text()).toContain(`POST /api/businesses/${businessId}/integrations/connect`);
  }
});

test('without a web app, the page at a post URL says how to read and publish the post, and shows nothing of it', async () => {
  const { businessId } = gateway;
  const post = aPost({ id: newId(), businessId, caption: 'Secret recipe' });
  gateway.services.posts.set(post.id, post);
  const response = await open(`/businesses/${businessId}/posts/${post.id}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const text = await response.text();
  expect(text).toContain(`curl ${BASE_URL}/api/businesses/${businessId}/posts/${post.id} \\\n`);
  expect(text).toContain(`curl -X POST ${BASE_URL}/api/businesses/${businessId}/posts/${post.id}/publish \\\n`);
  for (const path of ['/sign-in', '/docs', '/']) expect(text).toContain(`href="${BASE_URL}${path}"`);
  expect(text).not.toContain('Secret recipe');
  const ofNobody = await open(`/businesses/${businessId}/posts/${newId()}`);
  expect(ofNobody.status).toBe(200);
});

test('every other page links to the API path, and shows only the path', async () => {
  const response = await open('/businesses/7/posts/<script>?status=SCHEDULED');
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('/api/businesses/7/posts/%3Cscript%3E');
});

test('programs get the response of an unknown path', async () => {
  const response = await open(`/businesses/${gateway.businessId}/integrations/${newId()}/reconnect`, 'application/json');
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
});
