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

test('opens when the target is away, refuses at once then, and closes when it is back', async () => {
  const server = await runContent({ getPost: async () => ({ post: undefined }) });
  const door = await startTcpProxy(server.port);
  const { client, problem, close } = contentClient(door.port, 'away-and-back');
  closing.push(server.stop, door.close, close);
  const ask = () => client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: 1_000 });
  await ask();
  expect(problem()).toBeUndefined();
  expect(await isOpen('away-and-back')).toBe(0);

  door.shut();
  await times(20, ask);
  expect(problem()).toContain('away-and-back');
  expect(await isOpen('away-and-back')).toBe(1);
  const asked = door.asked();
  const refused = await times(50, ask);
  for (const one of refused) {
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'internal_error', retryAfterSeconds: expect.any(Number) } });
    expect((one as PromiseRejectedResult).reason.cause).toMatchObject({ code: 'EOPENBREAKER' });
  }
  expect(door.asked() - asked).toBeLessThan(10); // The channel goes on looking for its target; the calls do not reach it.

  door.open();
  await eventually(() => ask().then(() => true));
  expect(problem()).toBeUndefined();
  expect(await isOpen('away-and-back')).toBe(0);
});

/** As long as the breaker waits before a call's silence tells it anything. */
const PATIENT_MS = 1_200;

test('opens when the target hangs, after a few calls that ran out of time, and closes when it goes on', async () => {
  const server = await runContent({ getPost: async () => ({ post: undefined }) });
  const door = await startTcpProxy(server.port);
  const { client, problem, close } = contentClient(door.port, 'hangs');
  closing.push(server.stop, door.close, close);
  const ask = () => client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: PATIENT_MS });
  await ask();

  void door.blockAt('requests', '');
  const [first, second] = await times(2, ask);
  expect(first).toMatchObject({ reason: { code: 'internal_error', cause: { code: status.DEADLINE_EXCEEDED } } });
  expect(second).toMatchObject({ reason: { cause: { code: status.DEADLINE_EXCEEDED } } });
  expect(problem()).toBeUndefined();
  await times(1, ask);
  expect(problem()).toContain('hangs');
  const refused = await times(20, ask);
  for (const one of refused)
    expect(one).toMatchObject({ reason: { retryAfterSeconds: expect.any(Number), cause: { code: 'EOPENBREAKER' } } });

  door.release();
  await eventually(() => ask().then(() => true));
  expect(problem()).toBeUndefined();
});

test('stays closed while one method alone is silent', async () => {
  const server = await runContent({
    getPost: () => new Promise(() => undefined),
    getBusiness: async () => ({ business: undefined }),
  });
  const { client, problem, close } = contentClient(server.port, 'one-silent-method');
  closing.push(close, server.stop);
  const silent = times(5, () => client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: PATIENT_MS }));
  await times(20, () => client.getBusiness({ businessId: 'b' }, { call: aCall() }));
  for (const one of await silent) expect(one).toMatchObject({ reason: { cause: { code: status.DEADLINE_EXCEEDED } } });
  expect(problem()).toBeUndefined();
});

test('stays closed when callers have no time themselves', async () => {
  const server = await runContent({ getPost: () => new Promise(() => undefined) });
  const { client, problem, close } = contentClient(server.port, 'hasty-callers');
  closing.push(close, server.stop);
  const hasty = await times(40, () => client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: 20 }));
  for (const one of hasty) expect(one).toMatchObject({ reason: { cause: { code: status.DEADLINE_EXCEEDED } } });
  expect(problem()).toBeUndefined();
});

test.each([
  ['says no', () => notFound('post')],
  ['reports a platform that is away', () => new DomainError('UPSTREAM_PROVIDER_ERROR', 'It is away.')],
  ['fails at one bad request', () => new TypeError('undefined is not a post')],
  ['reports a service behind it that is away', () => new DomainError('internal_error', 'It is away.', { retryAfterSeconds: 2 })],
])('stays closed while the target answers, even if it only %s', async (kind, thrown) => {
  let healthy = false;
  const server = await runContent({ getPost: async () => (healthy ? { post: undefined } : Promise.reject(thrown())) });
  const { client, problem, close } = contentClient(server.port, kind);
  closing.push(server.stop, close);
  const ask = () => client.getPost({ postId: 'p' }, { call: aCall() });
  await times(40, ask);
  expect(problem()).toBeUndefined();
  expect(await isOpen(kind)).toBe(0);
  healthy = true;
  await ask();
});
