import { createFanfare, type FanfareError, type WaitOptions } from '@fanfare/sdk';
import { startScriptedApi, type Reply, type ScriptedApi } from './scripted-api.ts';

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterAll(() => api.stop());

const POST = { id: 'post_1', business_id: '0197f3a0-5c1e-7d2b-9a44-2f6f0c8e1b11' };
const wait = (options?: WaitOptions) => createFanfare({ baseUrl: api.baseUrl }).posts.waitUntilPublished(POST, options);
const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as FanfareError,
  );
const post = (status: string, ...results: string[]): Reply => ({
  body: { ...POST, status, publish_results: results.map((each) => ({ status: each })) },
});
const problem = (code: string, status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { code, status, detail: 'Detail.', request_id: 'req_1' },
});

test('resolves with the post when every account has its result, also one that failed', async () => {
  api.reply(post('NEW', 'pending', 'pending'), post('PUBLISHED', 'success', 'processing'), post('PUBLISHED', 'success', 'failed'));
  expect((await wait({ flowId: 'order-17' })).publish_results).toEqual([{ status: 'success' }, { status: 'failed' }]);
  expect(api.received.map(({ path, headers }) => [path, headers['x-flow-id']])).toEqual(
    Array(3).fill([`/api/businesses/${POST.business_id}/posts/${POST.id}`, 'order-17']),
  );
});

test('waits for the time of a post that has results of an earlier one, or of accounts that were sent to ahead of it', async () => {
  api.reply(post('SCHEDULED', 'failed'), post('SCHEDULED', 'success'), post('PUBLISHED', 'success', 'success'));
  expect((await wait()).publish_results).toHaveLength(2);
});

test('resolves with a post that could not be sent at all, and says why', async () => {
  const last_failure = { error_type: 'permission_denied', detail: 'No account is connected to this business.', at: '2026-08-06T12:00:00Z' };
  api.reply(post('SCHEDULED'), { body: { ...POST, status: 'NEW', publish_results: [], publish_status: 'failed', last_failure } });
  expect(await wait()).toMatchObject({ publish_status: 'failed', last_failure });
});

test('waits for the time of a scheduled post, and says so of one that nobody publishes', async () => {
  api.reply(post('SCHEDULED'), post('PUBLISHED', 'success'));
  expect((await wait()).status).toBe('PUBLISHED');
  api.reply(post('DRAFT'));
  expect(await failure(wait())).toMatchObject({ code: 'not_publishing', message: expect.stringContaining('DRAFT') as string });
});

test('outlasts an unavailable service and a window that is used up', async () => {
  const responses = [
    problem('internal_error', 500),
    (response: { destroy(): void }) => response.destroy(),
    problem('rate_limit_exceeded', 429, { 'retry-after': '1' }),
    post('PUBLISHED', 'success'),
  ];
  api.reply(...responses);
  expect((await wait()).status).toBe('PUBLISHED');
  expect(api.received).toHaveLength(responses.length);
});

test('does not wait when the API requires a longer wait than the time that is left, or says that there is no such post', async () => {
  api.reply(problem('rate_limit_exceeded', 429, { 'retry-after': '86400' }));
  expect(await failure(wait())).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 86_400 });
  api.reply(problem('resource_not_found', 404));
  expect(await failure(wait())).toMatchObject({ code: 'resource_not_found' });
  expect(api.received).toHaveLength(1);
});

test('gives up when its time is over, or with the reason of who gave up', async () => {
  api.reply(post('NEW', 'pending'));
  expect(await failure(wait({ timeoutMs: 20 }))).toMatchObject({ name: 'FanfareError', code: 'timed_out' });
  const giveUp = new AbortController();
  const reason = new Error('enough');
  const call = wait({ signal: giveUp.signal });
  giveUp.abort(reason);
  expect(await failure(call)).toBe(reason);
});

test.each([
  ['completed', { job_id: 'job_1', status: 'completed', error: null }],
  ['failed', { job_id: 'job_1', status: 'failed', error: 'The website cannot be read.' }],
])('waits until a job is %s', async (_, ended) => {
  // A server of its own: a request of an aborted wait may still arrive at the other one.
  const own = await startScriptedApi();
  own.reply({ body: { job_id: 'job_1', status: 'pending' } }, problem('internal_error', 500), { body: ended });
  expect(await createFanfare({ baseUrl: own.baseUrl }).jobs.waitUntilEnded(POST.business_id, 'job_1')).toEqual(ended);
  expect(own.received.map(({ path }) => path)).toEqual(Array(3).fill(`/api/businesses/${POST.business_id}/jobs/job_1`));
  await own.stop();
});
