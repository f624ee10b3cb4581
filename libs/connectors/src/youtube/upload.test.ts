import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, aVideo } from '../../test/a-content.ts';
import { session } from './test/flows.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { State } from '../connector.ts';
import { youtube } from './index.ts';

const MiB = 1024 * 1024;
const content = aContent({ media: [aVideo({ sizeBytes: 10 * MiB })] });
const stored = (bytes: number): ScriptedResponse => ({ status: 308, headers: bytes > 0 ? { range: `bytes=0-${bytes - 1}` } : {} });
const badOffset: ScriptedResponse = {
  status: 400,
  json: { error: { code: 400, message: 'Wrong range', errors: [{ reason: 'badRequest' }] } },
};

let platform: ScriptedPlatform;
afterEach(() => platform.close());

/** Runs the one step that comes next from `state`. */
async function step(state: State, responses: readonly ScriptedResponse[]) {
  platform = await scriptedPlatform(responses);
  const next = youtube.publish.next(content, state);
  if (!('step' in next)) throw new Error('nothing is left to do');
  return next.step.run(aCall(platform.client.http('youtube', deadlineIn(10_000))));
}
const ranges = () => platform.received.map(({ headers }) => headers['content-range']);

const first = { sessionUrl: session, offset: 0 };
const last = { sessionUrl: session, offset: 8 * MiB };

test('the next part begins after the last byte that YouTube has', async () => {
  expect(await step(first, [stored(3 * MiB)])).toEqual({ state: { ...first, offset: 3 * MiB } });
});

test.each<[string, ScriptedResponse]>([
  ['gets no response', 'drop'],
  ['gets a 503', { status: 503, text: 'busy' }],
  ['is rejected, because another process has continued it', badOffset],
])('after a part that %s, the upload session is read', async (_what, response) => {
  expect(await step(first, [response, stored(4 * MiB)])).toEqual({ state: { ...first, offset: 4 * MiB } });
  expect(ranges()).toEqual(['bytes 0-4194303/10485760', 'bytes */10485760']);
  expect(platform.received[1]?.headers['content-length']).toBe('0');
});

test.each<[string, ScriptedResponse, ScriptedResponse, object]>([
  ['that the session does not have', 'drop', stored(0), { class: 'transient', effect: 'unknown' }],
  ['when the session does not respond either', 'drop', 'drop', { class: 'transient', effect: 'unknown' }],
  ['that is wrong by itself', badOffset, stored(0), { class: 'validation', effect: 'rejected' }],
])('a part %s fails with its own failure', async (_what, response, probe, failure) => {
  await expect(step(first, [response, probe])).rejects.toMatchObject({ ...failure, retryFrom: undefined });
});

test('an expired token does not affect the upload session', async () => {
  const expired = { status: 401, json: { error: { code: 401, message: 'Invalid Credentials', errors: [{ reason: 'authError' }] } } };
  await expect(step(first, [expired])).rejects.toMatchObject({ class: 'token_expired', effect: 'rejected' });
  expect(platform.received).toHaveLength(1);
});

test('a part of which nothing was stored is retried after a delay', async () => {
  await expect(step(first, [stored(0)])).rejects.toMatchObject({ class: 'transient', effect: 'rejected', retryFrom: first });
});

/** Google's upload servers put it on all their responses. */
const byGoogle = { 'x-guploader-uploadid': 'u1' };

test.each([404, 410])('after status %d the upload starts again, a few times', async (status) => {
  for (const state of [first, last]) {
    await expect(step(state, [{ status, text: 'Not Found', headers: byGoogle }])).rejects.toMatchObject({
      class: 'transient',
      effect: 'rejected',
      retryFrom: { restarts: 1 },
    });
    await platform.close();
  }
  await expect(step({ ...first, restarts: 3 }, [{ status, text: '', headers: byGoogle }])).rejects.toMatchObject({
    class: 'media_processing_failed',
  });
});

test('an incomplete last part continues after the stored bytes', async () => {
  const failure = { class: 'transient', effect: 'rejected', retryFrom: { ...last, offset: 9 * MiB } };
  await expect(step(last, [stored(9 * MiB)])).rejects.toMatchObject(failure);
  await platform.close();
  await expect(step(last, [badOffset, stored(9 * MiB)])).rejects.toMatchObject(failure);
  await platform.close();
  await step(failure.retryFrom, [{ json: { id: 'v1' } }]);
  expect(ranges()).toEqual(['bytes 9437184-10485759/10485760']);
});

test('after a lost response to the last part the session is not read: the engine reconciles', async () => {
  await expect(step(last, ['drop'])).rejects.toMatchObject({ class: 'transient', effect: 'unknown', retryFrom: undefined });
  expect(platform.received).toHaveLength(1);
});

test('a complete last part without a video yet leaves the outcome unknown', async () => {
  await expect(step(last, [stored(10 * MiB)])).rejects.toMatchObject({ effect: 'unknown', retryFrom: undefined });
});

test('an upload URL of another host gets no token', async () => {
  await expect(step({ ...first, sessionUrl: 'https://example.com/upload' }, [])).rejects.toMatchObject({ effect: 'not_sent' });
});
