import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anImage, aVideo } from '../../test/a-content.ts';
import type { Flow } from '../../test/conversations/flow.ts';
import { conversations } from './test/conversations.ts';
import { linkedinFlows } from './test/flows.ts';
import { runToEnd } from '../../test/run-to-end.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { Content, State } from '../connector.ts';
import { linkedin } from './index.ts';

const author = 'urn:li:organization:55';
const postUrn = 'urn:li:share:7100000000000000001';

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => {
  platform = await scriptedPlatform(responses);
  return aCall(platform.client.http('linkedin', deadlineIn(10_000)), author);
};
const run = async ({ responses, content }: Pick<Flow, 'responses' | 'content'>) => runToEnd(linkedin, content, await start(responses));
/** Every request without its headers, which all of the API's have to carry. */
const sent = () =>
  platform.received.map(({ method, url, query, body, headers }) => {
    const path = url.replace('https://api.linkedin.com/rest', '');
    if (path !== url) {
      expect(headers).toMatchObject({
        authorization: 'Bearer token-of-the-account',
        'linkedin-version': '202609',
        'x-restli-protocol-version': '2.0.0',
      });
    }
    return [method, path, ...(Object.keys(query).length > 0 ? [query] : []), ...(url.includes('/dms-uploads/') ? [] : [body])];
  });
const aPost = (more: object = {}) => ({
  author,
  commentary: 'Hello world',
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
  ...more,
});
const initialize = (kind: string, more: object = {}) => [
  'POST',
  `/${kind}s`,
  { action: 'initializeUpload' },
  { initializeUploadRequest: { owner: author, ...more } },
];
const upload = (id: string) => ['PUT', `https://www.linkedin.com/dms-uploads/${id}`];
const readOf = (kind: string, id: string) => ['GET', `/${kind}s/urn%3Ali%3A${kind}%3A${id}`, undefined];

afterEach(() => platform.close());

test('a text is published with a first comment, unescaped', async () => {
  const { published } = await run({ ...linkedinFlows.text, content: aContent({ caption: 'Hi (all)', firstComment: 'Hi (all)' }) });
  expect(published).toEqual({ publishId: postUrn, postUrl: `https://www.linkedin.com/feed/update/${postUrn}/` });
  expect(sent()).toEqual([
    ['POST', '/posts', aPost({ commentary: 'Hi \\(all\\)' })],
    [
      'POST',
      '/socialActions/urn%3Ali%3Ashare%3A7100000000000000001/comments',
      { actor: author, object: postUrn, message: { text: 'Hi (all)' } },
    ],
  ]);
});

test('a link is not sent by default; the visibility is an option', async () => {
  const content = aContent({ link: 'https://example.com', options: { visibility: 'CONNECTIONS' } });
  await run({ content, responses: linkedinFlows.text.responses });
  expect(sent()).toEqual([['POST', '/posts', aPost({ visibility: 'CONNECTIONS' })]]);
});

test('with the option `article` a link is a card with title and description', async () => {
  await run(linkedinFlows.article);
  const article = { source: 'https://www.example.com/bread?from=linkedin', title: 'Our bread', description: 'Rye, since 1920' };
  expect(sent()).toEqual([['POST', '/posts', aPost({ content: { article } })]]);
});

test.each([
  ['https://www.example.com/bread/?from=linkedin', 'example.com/bread'],
  ['https://example.com', 'example.com'],
  [`https://example.com/${'a'.repeat(300)}`, `example.com/${'a'.repeat(187)}…`],
])('the card of %s without a title has the host as its title', async (link, title) => {
  await run({ content: aContent({ caption: '', link, options: { article: true } }), responses: linkedinFlows.article.responses });
  expect(sent()).toEqual([['POST', '/posts', aPost({ commentary: '', content: { article: { source: link, title } } })]]);
});

test('with `article` as a default, posts with images or without a link have no card', async () => {
  const options = { article: true };
  await run({ ...linkedinFlows.image, content: { ...linkedinFlows.image.content, link: 'https://example.com', options } });
  expect(sent().at(-1)).toMatchObject(['POST', '/posts', { content: { media: { id: 'urn:li:image:C1' } } }]);
  await platform.close();
  await run({ content: aContent({ options }), responses: linkedinFlows.article.responses });
  expect(sent()).toEqual([['POST', '/posts', aPost()]]);
});

test('a poll is sent with the text, for three days by default', async () => {
  await run(linkedinFlows.poll);
  const poll = (duration: string) => ({
    poll: { question: 'Which bread?', options: [{ text: 'Rye' }, { text: 'Wheat' }], settings: { duration } },
  });
  expect(sent()).toEqual([['POST', '/posts', aPost({ content: poll('SEVEN_DAYS') })]]);
  await platform.close();
  const options = { poll: { question: 'Which bread?', options: ['Rye', 'Wheat'] } };
  await run({ content: aContent({ options }), responses: linkedinFlows.poll.responses });
  expect(sent()).toEqual([['POST', '/posts', aPost({ content: poll('THREE_DAYS') })]]);
});

test('an image is uploaded in one request with the token, and polled before it is posted', async () => {
  await run(linkedinFlows.image);
  expect(sent()).toEqual([
    initialize('image'),
    ['PUT', 'https://www.linkedin.com/dms-uploads/C1', { sig: '1' }],
    readOf('image', 'C1'),
    ['POST', '/posts', aPost({ content: { media: { id: 'urn:li:image:C1', altText: 'A red door', title: 'Our door' } } })],
  ]);
  expect(platform.received[1]?.headers).toMatchObject({
    authorization: 'Bearer token-of-the-account',
    'content-type': 'image/jpeg',
    'content-length': '1000',
  });
});

test('several images are uploaded one after the other; one that cannot be polled is given time', async () => {
  const { steps } = await run(linkedinFlows.images);
  expect(steps.filter((step) => step === 'prepare:await_processing')).toHaveLength(3);
  expect(sent().at(-1)).toEqual([
    'POST',
    '/posts',
    aPost({ content: { multiImage: { images: [{ id: 'urn:li:image:C1', altText: 'One' }, { id: 'urn:li:image:C2' }] } } }),
  ]);
});

test('a video is uploaded in the parts that LinkedIn requests, without the token, and each byte is read once', async () => {
  const reads: [number, number][] = [];
  const [video = aVideo()] = linkedinFlows.video.content.media;
  const read: typeof video.read = async (from, to) => (reads.push([from, to]), Buffer.alloc(to - from + 1));
  await run({ ...linkedinFlows.video, content: { ...linkedinFlows.video.content, media: [{ ...video, read }] } });
  expect(sent()).toEqual([
    initialize('video', { fileSizeBytes: 4_194_305, uploadCaptions: false, uploadThumbnail: false }),
    upload('V1/0'),
    upload('V1/1'),
    [
      'POST',
      '/videos',
      { action: 'finalizeUpload' },
      { finalizeUploadRequest: { video: 'urn:li:video:V1', uploadToken: '', uploadedPartIds: ['"tag-0"', '"tag-1"'] } },
    ],
    readOf('video', 'V1'),
    readOf('video', 'V1'),
    ['POST', '/posts', aPost({ content: { media: { id: 'urn:li:video:V1', title: 'Our film' } } })],
  ]);
  expect(platform.received[1]?.headers).not.toHaveProperty('authorization');
  expect(reads).toEqual([
    [0, 4_194_303],
    [4_194_304, 4_194_304],
  ]);
});

test.each([
  ['leaves a gap', [0, 10, 12, 99]],
  ['ends too early', [0, 10, 11, 98]],
  ['is too large for memory', [0, 10_000_000]],
])('an upload plan that %s is rejected', async (_what, [a, b, c, d]) => {
  const part = (firstByte?: number, lastByte?: number) => ({
    uploadUrl: 'https://www.linkedin.com/dms-uploads/V1/0',
    firstByte,
    lastByte,
  });
  const uploadInstructions = [part(a, b), ...(c === undefined ? [] : [part(c, d)])];
  const value = { video: 'urn:li:video:V1', uploadToken: '', uploadInstructions };
  const content = aContent({ media: [aVideo({ sizeBytes: c === undefined ? 10_000_001 : 100 })] });
  await expect(run({ content, responses: [{ json: { value } }] })).rejects.toMatchObject({ class: 'transient', effect: 'unknown' });
});

describe('rejected by LinkedIn', () => {
  const content = aContent({ media: [anImage()] });
  const urn = 'urn:li:image:C1';
  const failureOf = async (state: State, response: ScriptedResponse, what: Content = content) => {
    const next = linkedin.publish.next(what, state);
    if (!('step' in next)) throw new Error('there is a step');
    const failure: unknown = await next.step.run(await start([response])).then(
      () => new Error('it did not fail'),
      (error: unknown) => error,
    );
    return failure;
  };
  const rejection = (status: number, code: string, message: string): ScriptedResponse => ({ status, json: { status, code, message } });

  test('after an upload URL has expired the upload starts again, a few times', async () => {
    const waiting = { urn, uploadUrl: 'https://www.linkedin.com/dms-uploads/C1' };
    expect(await failureOf({ uploads: [waiting] }, { status: 403, text: 'expired' })).toMatchObject({
      class: 'transient',
      effect: 'rejected',
      retryFrom: { uploads: [{ restarts: 1 }] },
    });
    await platform.close();
    expect(await failureOf({ uploads: [{ ...waiting, restarts: 3 }] }, { status: 403, text: 'expired' })).toMatchObject({
      class: 'media_processing_failed',
    });
    await platform.close();
    expect(await failureOf({ uploads: [waiting] }, { status: 503, text: 'busy' })).toMatchObject({
      class: 'transient',
      retryFrom: undefined,
    });
  });

  test('an upload URL of another host gets nothing', async () => {
    const failure = await failureOf({ uploads: [{ urn, uploadUrl: 'https://evil.example.com/' }] }, { json: {} });
    expect(failure).toMatchObject({ class: 'validation', effect: 'not_sent' });
    expect(platform.received).toEqual([]);
  });

  test('an image that it cannot process fails the delivery', async () => {
    const response = { json: { status: 'PROCESSING_FAILED', processingFailureReason: 'Corrupt file' } };
    expect(await failureOf({ uploads: [{ urn, sent: true }] }, response)).toMatchObject({
      class: 'media_processing_failed',
      message: 'Corrupt file',
    });
  });

  test('a video that it does not finish processing fails the delivery', async () => {
    const video = aContent({ media: [aVideo()] });
    const failure = await failureOf({ uploads: [{ urn, sent: true, polls: 90 }] }, { json: { status: 'PROCESSING' } }, video);
    expect(failure).toMatchObject({ class: 'media_processing_failed' });
  });

  test('images that are still being processed are polled again', async () => {
    const state = { uploads: [{ urn, sent: true, ready: true }] };
    for (const code of ['MEDIA_ASSET_PROCESSING', 'MEDIA_ASSET_WAITING_UPLOAD']) {
      const failure = await failureOf(state, rejection(400, code, 'Not yet'));
      expect(failure).toMatchObject({
        class: 'transient',
        effect: 'rejected',
        retryFrom: { uploads: [{ urn, sent: true, ready: false }] },
      });
      await platform.close();
    }
  });

  test('a post that is forbidden is retried once', async () => {
    const forbidden = rejection(403, 'ACCESS_DENIED', 'The resource is forbidden');
    const state = { uploads: [{ urn, sent: true, ready: true }] };
    expect(await failureOf(state, forbidden)).toMatchObject({ class: 'transient', effect: 'rejected', retryFrom: { forbidden: true } });
    await platform.close();
    expect(await failureOf({ ...state, forbidden: true }, forbidden)).toMatchObject({ class: 'permission', retryFrom: undefined });
  });

  test('of a duplicate, the id of the original is stored', async () => {
    const response = {
      status: 422,
      json: {
        status: 422,
        message: 'com.linkedin.content.common.exception.BadRequestResponseException: Content is a duplicate of urn:li:share:71',
        errorDetails: { inputErrors: [{ description: 'Duplicate post is detected', input: {}, code: 'DUPLICATE_POST' }] },
      },
    };
    expect(await failureOf({}, response, aContent())).toMatchObject({
      class: 'duplicate',
      effect: 'rejected',
      retryFrom: { repeats: 'urn:li:share:71' },
    });
  });

  test('a comment without the permission is a warning', async () => {
    const failure = await failureOf({ postId: postUrn }, rejection(403, 'ACCESS_DENIED', 'No'), aContent({ firstComment: 'First!' }));
    expect(failure).toMatchObject({ class: 'permission', effect: 'rejected' });
  });
});

test.each([
  ['was finalized before', 'PROCESSING', undefined],
  ['was not', 'WAITING_UPLOAD', 'The upload is not complete'],
])('a video whose finalization LinkedIn rejects continues if it %s', async (_what, status, message) => {
  const rejection = { status: 400, json: conversations.rejection('The upload is not complete') };
  const call = await start([rejection, { json: { status } }]);
  const next = linkedin.publish.next(linkedinFlows.video.content, {
    uploads: [{ urn: 'urn:li:video:V1', uploadToken: '', parts: [], etags: ['1'] }],
  });
  if (!('step' in next)) throw new Error('no step');
  expect(next.step.name).toBe('finalize_upload');
  const result = next.step.run(call);
  if (message === undefined) await expect(result).resolves.toMatchObject({ state: { uploads: [{ urn: 'urn:li:video:V1', sent: true }] } });
  else await expect(result).rejects.toMatchObject({ class: 'validation', message });
});
