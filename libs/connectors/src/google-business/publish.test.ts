import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anImage } from '../../test/a-content.ts';
import type { Flow } from '../../test/conversations/flow.ts';
import { eventOptions, googleBusinessFlows } from './test/flows.ts';
import { runToEnd } from '../../test/run-to-end.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { Content } from '../connector.ts';
import { googleBusiness } from './index.ts';

const name = 'accounts/1/locations/2/localPosts/9';
const posts = 'https://mybusiness.googleapis.com/v4/accounts/1/locations/2/localPosts';
const schedule = {
  startDate: { year: 2026, month: 12, day: 1 },
  startTime: { hours: 9, minutes: 0, seconds: 0, nanos: 0 },
  endDate: { year: 2026, month: 12, day: 1 },
  endTime: { hours: 17, minutes: 30, seconds: 0, nanos: 0 },
};

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => {
  platform = await scriptedPlatform(responses);
  return aCall(platform.client.http('google_business', deadlineIn(10_000)), 'accounts/1/locations/2');
};
const run = async ({ responses, content }: Pick<Flow, 'responses' | 'content'>) =>
  runToEnd(googleBusiness, content, await start(responses));
const bodyOf = async (content: Content) => {
  await run({ responses: googleBusinessFlows.text.responses, content });
  await platform.close();
  return platform.received[0]?.body;
};
const stepFrom = (state: Record<string, unknown>) => {
  const next = googleBusiness.publish.next(aContent(), state);
  if (!('step' in next)) throw new Error('nothing left to do');
  return next.step;
};

afterEach(() => platform?.close());

test('a link becomes the button of the post', async () => {
  const { published, steps } = await run(googleBusinessFlows.text);
  expect(published).toEqual({ publishId: name, postUrl: 'https://local.google.com/place?id=2&use=posts&lpsid=9' });
  expect(steps).toEqual(['commit:create_post']);
  expect(platform.calls()).toEqual([`POST ${posts}`]);
  expect(platform.received[0]).toMatchObject({
    headers: { authorization: 'Bearer token-of-the-account' },
    body: { topicType: 'STANDARD', summary: 'Hello world', callToAction: { actionType: 'LEARN_MORE', url: 'https://example.com/menu' } },
  });
});

test.each(['', ' \n'])('an event with the caption %j is sent without a summary', async (caption) => {
  const options = { topic_type: 'EVENT', event: { ...eventOptions, title: 'Open day' } };
  expect(await bodyOf(aContent({ caption, options }))).toEqual({ topicType: 'EVENT', event: { title: 'Open day', schedule } });
});

test('an image is sent as a URL, and the post is polled until Google has reviewed it', async () => {
  const { published, steps } = await run(googleBusinessFlows.photo);
  expect(published.publishId).toBe(name);
  expect(steps).toEqual(['commit:create_post', 'follow_up:await_review', 'follow_up:await_review']);
  expect(platform.calls()).toEqual([`POST ${posts}`, `GET ${posts}/9`, `GET ${posts}/9`]);
  expect(platform.received[0]?.body).toEqual({
    topicType: 'STANDARD',
    languageCode: 'de',
    summary: 'Hello world',
    callToAction: { actionType: 'CALL' },
    media: [{ mediaFormat: 'PHOTO', sourceUrl: 'https://media.example.com/1.jpg' }],
  });
});

test('the title of an event is that of the override, and without a URL its post URL is that of the location', async () => {
  const { published } = await run(googleBusinessFlows.event);
  expect(published).toEqual({ publishId: name, postUrl: 'https://maps.google.com/maps?cid=2' });
  expect(platform.received).toMatchObject([
    { body: { topicType: 'EVENT', summary: 'Hello world', event: { title: 'Open day', schedule } } },
    {
      method: 'GET',
      url: 'https://mybusinessbusinessinformation.googleapis.com/v1/locations/2',
      query: { readMask: 'metadata' },
    },
  ]);
});

test('the link of an offer is where it is redeemed; an offer has no button', async () => {
  await run(googleBusinessFlows.offer);
  expect(platform.received[0]?.body).toEqual({
    topicType: 'OFFER',
    summary: 'Hello world',
    event: { title: 'Two for one', schedule },
    offer: { couponCode: 'TWO', redeemOnlineUrl: 'https://example.com/redeem' },
  });
});

test('a chosen button leads to its own URL, or else to the link', async () => {
  const book = { call_to_action: { action_type: 'BOOK', url: 'https://example.com/book' } };
  expect(await bodyOf(aContent({ link: 'https://example.com', options: book }))).toMatchObject({
    callToAction: { actionType: 'BOOK', url: 'https://example.com/book' },
  });
  expect(await bodyOf(aContent({ link: 'https://example.com/b', options: { call_to_action: { action_type: 'BOOK' } } }))).toMatchObject({
    callToAction: { actionType: 'BOOK', url: 'https://example.com/b' },
  });
});

test('a missing text or button is not sent', async () => {
  expect(await bodyOf(aContent({ caption: '', media: [anImage()] }))).toEqual({
    topicType: 'STANDARD',
    media: [{ mediaFormat: 'PHOTO', sourceUrl: 'https://media.example.com/1.jpg' }],
  });
});

test.each([
  ['an event without a title', { topic_type: 'EVENT', event: eventOptions }, /requires a title\. Set options\.event\.title/],
  ['a button that leads nowhere', { call_to_action: { action_type: 'SHOP' } }, /Set options\.call_to_action\.url/],
  ['an event without its time', { topic_type: 'EVENT' }, /^options\.event: is required for topic_type EVENT\.$/],
])('%s fails before anything is sent', async (_what, options, message) => {
  await expect(run({ responses: [], content: aContent({ options }) })).rejects.toMatchObject({
    class: 'validation',
    effect: 'not_sent',
    message: expect.stringMatching(message),
  });
  expect(platform.received).toHaveLength(0);
});

describe('the review', () => {
  const rejected = { json: { name, state: 'REJECTED' } };
  const review = async (response: ScriptedResponse, polls = 0) => stepFrom({ name, polls }).run(await start([response]));

  test('a post that Google rejects immediately is permanently rejected', async () => {
    await expect(run({ ...googleBusinessFlows.text, responses: [rejected] })).rejects.toMatchObject({
      class: 'validation',
      effect: 'rejected',
    });
  });

  test('a post that Google rejects later was not published', async () => {
    await expect(review(rejected)).rejects.toMatchObject({
      class: 'validation',
      retryFrom: {},
      message: expect.stringContaining('content policy'),
    });
  });

  test('the first poll is soon', async () => {
    const step = stepFrom({});
    expect(await step.run(await start([{ json: { name, state: 'PROCESSING' } }]))).toEqual({
      state: { name },
      waitMs: 2_000,
      publishId: name,
    });
  });

  test.each([
    [0, 10_000],
    [4, 10_000],
    [5, 60_000],
    [18, 60_000],
  ])('after %d polls the next one is in %d ms', async (polls, waitMs) => {
    expect(await review({ json: { name, state: 'PROCESSING' } }, polls)).toMatchObject({ waitMs, state: { polls: polls + 1 } });
  });

  test('after a quarter of an hour the post is reported as published, with a warning', async () => {
    await expect(review({ json: { name, state: 'PROCESSING' } }, 19)).rejects.toMatchObject({
      class: 'validation',
      retryFrom: undefined,
      message: expect.stringContaining('still reviewing'),
    });
    const step = stepFrom({ name, polls: 19, postUrl: 'https://local.google.com/9' });
    const after = googleBusiness.publish.next(aContent(), 'givenUp' in step ? step.givenUp : {});
    expect(after).toEqual({ published: { publishId: name, postUrl: 'https://local.google.com/9' } });
  });
});

test('an image that Google could not fetch is retried for some minutes; one that it cannot use is rejected at once', async () => {
  const rejection = (message: string) => ({ status: 400, json: { error: { code: 400, status: 'INVALID_ARGUMENT', message } } });
  const content = aContent({ media: [anImage()] });
  const failure = async (message: string, from: Record<string, unknown> = {}) => {
    const next = googleBusiness.publish.next(content, from);
    if (!('step' in next)) throw new Error('nothing left to do');
    await platform?.close();
    return next.step.run(await start([rejection(message)])).catch((error: unknown) => error);
  };
  const [unfetched, unusable] = ['Fetching image failed.', 'Photo must be a JPG or PNG.'];
  expect(await failure(unfetched)).toMatchObject({
    class: 'transient',
    effect: 'rejected',
    retryAfterMs: 1_000,
    retryFrom: { refetches: 1 },
  });
  expect(await failure(unfetched, { refetches: 8 })).toMatchObject({ class: 'validation', effect: 'rejected' });
  expect(await failure(unusable)).toMatchObject({ class: 'validation', effect: 'rejected' });
});
