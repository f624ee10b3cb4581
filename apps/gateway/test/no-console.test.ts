import { newId } from '@fanfare/runtime';
import { startGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const open = (path: string, accept = 'text/html,*/*;q=0.8') => gateway.call(path, { key: null, headers: { accept } });

test('without a web app, who opens the address of a reconnect reads how it is done', async () => {
  const { businessId } = gateway;
  for (const accept of ['text/html,*/*;q=0.8', '*/*']) {
    const answer = await open(`/businesses/${businessId}/integrations/${newId()}/reconnect`, accept);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain(`POST /api/businesses/${businessId}/integrations/connect`);
  }
});

test('every other page leads to what the API has at its place, and shows nothing but the path', async () => {
  const answer = await open('/businesses/7/posts/<script>?status=SCHEDULED');
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('/api/businesses/7/posts/%3Cscript%3E');
});

test('programs are told as on every path that is not there', async () => {
  const answer = await open(`/businesses/${gateway.businessId}/integrations/${newId()}/reconnect`, 'application/json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json']);
});
