import { Client as GrpcClient, credentials } from '@grpc/grpc-js';
import { ContentServiceService } from '@fanfare/contracts/content';
import { aCall, contentClient, runContent } from './running-content.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const start = async (handlers: Parameters<typeof runContent>[0]) => {
  const server = await runContent(handlers);
  const { client, close } = contentClient(server.port);
  closing.push(server.stop, close);
  return { client, port: server.port };
};

/** Longer than a call takes on any machine, far shorter than the default deadlines of ten and thirty seconds. */
const SLACK_MS = 4_000;

test('a call without a response fails at its deadline, with a retry delay', async () => {
  const called = Promise.withResolvers<Date>();
  const response = Promise.withResolvers<{ post: undefined }>();
  const { client } = await start({ getPost: (_request, call) => (called.resolve(call.deadline), response.promise) });
  const before = Date.now();
  const call = client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: 3_000 });
  await expect(call).rejects.toMatchObject({ code: 'internal_error', retryAfterSeconds: 1 });
  expect((await called.promise).getTime() - before).toBeLessThan(3_000 + SLACK_MS);
  response.resolve({ post: undefined });
});

test("a call that a handler makes inherits its caller's deadline", async () => {
  let inner: Date | undefined;
  let outer: Date | undefined;
  const behind = await start({
    getBusiness: async (_request, call) => {
      inner = call.deadline;
      return { business: undefined };
    },
  });
  const front = await start({
    getPost: async (_request, call) => {
      outer = call.deadline;
      await behind.client.getBusiness({ businessId: 'b' }, { call, timeoutMs: 60_000 });
      return { post: undefined };
    },
  });
  await front.client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: 20_000 });
  expect(Math.abs(inner!.getTime() - outer!.getTime())).toBeLessThan(SLACK_MS);
});

test("a call's own timeout applies if its caller would wait longer", async () => {
  let deadline: Date | undefined;
  const { client } = await start({
    getPost: async (_request, call) => {
      deadline = call.deadline;
      return { post: undefined };
    },
  });
  const before = Date.now();
  await client.getPost({ postId: 'p' }, { call: { ...aCall(), deadline: new Date(before + 60_000) }, timeoutMs: 20_000 });
  expect(deadline!.getTime() - before).toBeLessThan(20_000 + SLACK_MS);
});

test('a call whose deadline has passed is not sent', async () => {
  let calls = 0;
  const { client } = await start({ getPost: async () => (calls++, { post: undefined }) });
  const call = client.getPost({ postId: 'p' }, { call: { ...aCall(), deadline: new Date(Date.now() - 60_000) } });
  await expect(call).rejects.toMatchObject({ code: 'internal_error' });
  expect(calls).toBe(0);
});

test('a call of another tool without a deadline gets the default one', async () => {
  let deadline: Date | undefined;
  const { port } = await start({
    getPost: async (_request, call) => {
      deadline = call.deadline;
      return { post: undefined };
    },
  });
  const { path, requestSerialize, responseDeserialize } = ContentServiceService.getPost;
  const other = new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure());
  closing.push(() => other.close());
  const before = Date.now();
  await new Promise((resolve) => other.makeUnaryRequest(path, requestSerialize, responseDeserialize, { postId: 'p' }, resolve));
  expect(deadline!.getTime() - before).toBeLessThan(30_000 + SLACK_MS);
});
