import { status } from '@grpc/grpc-js';
import { DomainError, notFound } from '@fanfare/errors';
import { gauge } from '@fanfare/runtime';
import { eventually, startTcpProxy } from '@fanfare/testing';
import { aCall, contentClient, runContent } from './running-content.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const isOpen = async (target: string) =>
  (await gauge('fanfare_breaker_open', '', ['target']).get()).values.find(({ labels }) => labels.target === target)?.value;

const times = <T>(count: number, one: () => Promise<T>) => Promise.allSettled(Array.from({ length: count }, one));

test('opens when the target is unavailable, then rejects at once, and closes when the target responds again', async () => {
  const server = await runContent({ getPost: async () => ({ post: undefined }) });
  const proxy = await startTcpProxy(server.port);
  const { client, problem, close } = contentClient(proxy.port, 'restarts');
  closing.push(server.stop, proxy.close, close);
  const getPost = () => client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: 20_000 });
  await getPost();
  expect(problem()).toBeUndefined();
  expect(await isOpen('restarts')).toBe(0);

  proxy.disconnect();
  await times(20, getPost);
  expect(problem()).toContain('restarts');
  expect(await isOpen('restarts')).toBe(1);
  const before = proxy.connectionAttempts();
  const rejected = await times(50, getPost);
  for (const one of rejected) {
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'internal_error', retryAfterSeconds: expect.any(Number) } });
    expect((one as PromiseRejectedResult).reason.cause).toMatchObject({ code: 'EOPENBREAKER' });
  }
  expect(proxy.connectionAttempts() - before).toBeLessThan(10); // The channel continues to reconnect; the calls do not reach it.

  proxy.open();
  await eventually(() => getPost().then(() => true));
  expect(problem()).toBeUndefined();
  expect(await isOpen('restarts')).toBe(0);
});

/** Longer than the shortest timeout that the breaker counts. */
const COUNTED_TIMEOUT_MS = 1_200;

test('opens after several timeouts when the target hangs, and closes when it responds again', async () => {
  const server = await runContent({ getPost: async () => ({ post: undefined }) });
  const proxy = await startTcpProxy(server.port);
  const { client, problem, close } = contentClient(proxy.port, 'hangs');
  closing.push(server.stop, proxy.close, close);
  const getPost = (timeoutMs = COUNTED_TIMEOUT_MS) => client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs });
  await getPost(20_000);

  void proxy.blockAt('requests', '');
  const [first, second] = await times(2, () => getPost());
  expect(first).toMatchObject({ reason: { code: 'internal_error', cause: { code: status.DEADLINE_EXCEEDED } } });
  expect(second).toMatchObject({ reason: { cause: { code: status.DEADLINE_EXCEEDED } } });
  expect(problem()).toBeUndefined();
  await times(1, () => getPost());
  expect(problem()).toContain('hangs');
  const rejected = await times(20, () => getPost());
  for (const one of rejected)
    expect(one).toMatchObject({ reason: { retryAfterSeconds: expect.any(Number), cause: { code: 'EOPENBREAKER' } } });

  proxy.release();
  await eventually(() => getPost().then(() => true));
  expect(problem()).toBeUndefined();
});

test('stays closed while only one method does not respond, however often it is called', async () => {
  const server = await runContent({
    getPost: () => new Promise(() => undefined),
    getBusiness: async () => ({ business: undefined }),
  });
  const { client, problem, close } = contentClient(server.port, 'one-slow-method');
  closing.push(close, server.stop);
  // The other method responds before they time out.
  const slow = times(50, () => client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: 5_000 }));
  await times(20, () => client.getBusiness({ businessId: 'b' }, { call: aCall(), timeoutMs: 60_000 }));
  for (const one of await slow) expect(one).toMatchObject({ reason: { cause: { code: status.DEADLINE_EXCEEDED } } });
  expect(problem()).toBeUndefined();
});

test('stays closed when calls have very short timeouts', async () => {
  const server = await runContent({ getPost: () => new Promise(() => undefined) });
  const { client, problem, close } = contentClient(server.port, 'short-timeouts');
  closing.push(close, server.stop);
  const short = await times(40, () => client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: 20 }));
  for (const one of short) expect(one).toMatchObject({ reason: { cause: { code: status.DEADLINE_EXCEEDED } } });
  expect(problem()).toBeUndefined();
});

test.each([
  ['returns an error of the request', () => notFound('post')],
  ['reports an unavailable platform', () => new DomainError('UPSTREAM_PROVIDER_ERROR', 'The platform is unavailable.')],
  ['fails because of one request', () => new TypeError('undefined is not a post')],
  ['reports an unavailable service', () => new DomainError('internal_error', 'The service is unavailable.', { retryAfterSeconds: 2 })],
])('stays closed while the target responds, even if it only %s', async (kind, thrown) => {
  let healthy = false;
  const server = await runContent({ getPost: async () => (healthy ? { post: undefined } : Promise.reject(thrown())) });
  const { client, problem, close } = contentClient(server.port, kind);
  closing.push(server.stop, close);
  const getPost = () => client.getPost({ postId: 'p' }, { call: aCall() });
  await times(40, getPost);
  expect(problem()).toBeUndefined();
  expect(await isOpen(kind)).toBe(0);
  healthy = true;
  await getPost();
});
