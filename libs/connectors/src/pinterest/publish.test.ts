import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anImage, aVideo } from '../../test/a-content.ts';
import type { Flow } from '../../test/conversations/flow.ts';
import { pinterestFlows } from './test/flows.ts';
import { runToEnd } from '../../test/run-to-end.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { checkContent } from '../checks/check-content.ts';
import { MAX_REFETCHES } from '../calls/refetching.ts';
import type { State } from '../connector.ts';
import { pinterest } from './index.ts';
import { MAX_POLLS } from './limits.ts';

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => {
  platform = await scriptedPlatform(responses);
  return aCall(platform.client.http('pinterest', deadlineIn(10_000)));
};
const run = async ({ responses, content }: Flow, from: State = {}) => runToEnd(pinterest, content, await start(responses), from);
const sent = () => platform.received.map(({ method, url, body }) => [method, url.replace('https://api.pinterest.com/v5', ''), body]);

afterEach(() => platform?.close());

test('Pinterest fetches an image; the caption is its description', async () => {
  const { published, steps } = await run(pinterestFlows.image);
  expect(published).toEqual({ publishId: '9', postUrl: 'https://www.pinterest.com/pin/9/' });
  expect(steps).toEqual(['commit:create_pin']);
  const pin = {
    board_id: '77',
    board_section_id: '78',
    title: 'A title',
    description: 'Hello world',
    link: 'https://example.com/a',
    alt_text: 'A red door',
    media_source: { source_type: 'image_url', url: 'https://media.example.com/1.jpg' },
  };
  expect(sent()).toEqual([['POST', '/pins', pin]]);
  expect(platform.received[0]?.headers.authorization).toBe('Bearer token-of-the-account');
});

test('several images are a carousel, in order', async () => {
  await run(pinterestFlows.carousel);
  const items = [{ url: 'https://media.example.com/1.jpg' }, { url: 'https://media.example.com/2.jpg' }];
  expect(sent()).toEqual([['POST', '/pins', { board_id: '77', media_source: { source_type: 'multiple_image_urls', items } }]]);
});

describe('several images that Pinterest rejects as one pin', () => {
  const rejected = (message: string, status = 400) => ({ status, json: { code: 1, message } });
  const { content, from } = pinterestFlows.firstAlone;
  const attempt = (message: string, status?: number) => run({ ...pinterestFlows.carousel, responses: [rejected(message, status)] });

  test('are retried once with only the first', async () => {
    await expect(attempt("Invalid request: 'multiple_image_urls' is not one of the supported types")).rejects.toMatchObject({
      class: 'transient',
      effect: 'rejected',
      retryFrom: { firstAlone: "Invalid request: 'multiple_image_urls' is not one of the supported types" },
    });
  });

  test('result in a pin of the first, with a warning', async () => {
    const { published, steps } = await run(pinterestFlows.firstAlone, from);
    expect(steps).toEqual(['commit:create_pin']);
    expect(sent()).toEqual([
      ['POST', '/pins', { board_id: '77', media_source: { source_type: 'image_url', url: 'https://media.example.com/1.jpg' } }],
    ]);
    expect(published).toEqual({
      publishId: '9',
      postUrl: 'https://www.pinterest.com/pin/9/',
      warning: "Pinterest did not accept several images in one pin. It shows only the first. ('multiple_image_urls' was unexpected)",
    });
  });

  test('have the warning also if the pin was found after its response was lost', async () => {
    const pins = [{ id: '9', created_at: '2026-11-21T10:00:01', description: '', media: { media_type: 'image' } }];
    const call = await start([{ json: { items: pins } }]);
    const finding = await pinterest.publish.findPublished(call, content, from, new Date('2026-11-21T10:00:00Z'));
    expect(pinterest.publish.next(content, finding.candidates[0]?.state ?? {})).toMatchObject({
      published: { publishId: '9', warning: expect.stringContaining('only the first') },
    });
  });

  test.each([
    ['Sorry! We blocked this link because it may lead to spam.', 400],
    ["Invalid request: 'title' is too long, maxLength=100", 400],
    ['The image at the URL could not be read, or its type is not supported.', 400],
    ['Board not found.', 404],
  ])('are not reduced if that does not help: %s', async (message, status) => {
    await expect(attempt(message, status)).rejects.toMatchObject({ class: 'validation', effect: 'rejected', retryFrom: undefined });
  });
});

test("a video is uploaded with Pinterest's form, in one request without our token, and processed before the pin is created", async () => {
  const { steps } = await run(pinterestFlows.video);
  expect(steps).toEqual([
    'prepare:upload_video',
    'prepare:await_processing',
    'prepare:await_processing',
    'prepare:await_processing',
    'commit:create_pin',
  ]);
  const form = {
    key: 'uploads/1:video:500',
    policy: 'cG9saWN5',
    'x-amz-signature': 'signed',
    'Content-Type': 'multipart/form-data',
    file: { type: 'video/mp4', size: 1_048_577 },
  };
  const mediaSource = { source_type: 'video_id', media_id: '500', cover_image_url: 'https://media.example.com/cover.jpg' };
  expect(sent()).toEqual([
    ['POST', '/media', { media_type: 'video' }],
    ['POST', 'https://pinterest-media-upload.s3-accelerate.amazonaws.com/', form],
    ['GET', '/media/500', undefined],
    ['GET', '/media/500', undefined],
    ['GET', '/media/500', undefined],
    ['POST', '/pins', { board_id: '77', description: 'Hello world', alt_text: 'The shop', media_source: mediaSource }],
  ]);
  expect(platform.received[1]?.headers).not.toHaveProperty('authorization');
  expect(Object.keys(platform.received[1]?.body as object).at(-1)).toBe('file');
});

test('without a chosen cover the first frame is the cover', async () => {
  await run(pinterestFlows.coverless);
  expect(sent().at(-1)).toMatchObject([
    'POST',
    '/pins',
    { media_source: { source_type: 'video_id', media_id: '500', cover_image_key_frame_time: 0 } },
  ]);
});

test('a video is read in pieces, and each byte once', async () => {
  const reads: [number, number][] = [];
  const read = async (from: number, to: number) => (reads.push([from, to]), Buffer.alloc(to - from + 1));
  const content = aContent({ options: { board_id: '77' }, media: [aVideo({ sizeBytes: 2 * 1024 * 1024 + 1, read })] });
  await run({ ...pinterestFlows.coverless, content });
  expect(reads).toEqual([
    [0, 1_048_575],
    [1_048_576, 2_097_151],
    [2_097_152, 2_097_152],
  ]);
});

test('no field of the signed form is stored', async () => {
  const call = await start(pinterestFlows.coverless.responses.slice(0, 2));
  const next = pinterest.publish.next(pinterestFlows.coverless.content, {});
  expect('step' in next && (await next.step.run(call))).toEqual({ state: { mediaId: '500' }, waitMs: 5_000 });
});

test.each([
  ['a lost response', 'drop', 'transient', 'unknown'],
  ['an outage of S3', { status: 503, text: '<Error><Code>SlowDown</Code></Error>' }, 'transient', 'unknown'],
  [
    'a form that has ended',
    { status: 403, text: '<Error><Code>AccessDenied</Code><Message>Policy expired</Message></Error>' },
    'transient',
    'rejected',
  ],
  ['a video too large', { status: 400, text: '<Error><Code>EntityTooLarge</Code></Error>' }, 'validation', 'rejected'],
] satisfies [string, ScriptedResponse, string, string][])(
  '%s on the way to S3 begins the upload anew, or ends it',
  async (_what, response, failureClass, effect) => {
    const attempt = run({ ...pinterestFlows.coverless, responses: [...pinterestFlows.coverless.responses.slice(0, 1), response] });
    await expect(attempt).rejects.toMatchObject({ class: failureClass, effect });
  },
);

test('an upload URL of another host gets nothing', async () => {
  const json = { media_id: '1', upload_url: 'https://evil.example/', upload_parameters: {} };
  await expect(run({ ...pinterestFlows.coverless, responses: [{ json }] })).rejects.toMatchObject({
    class: 'validation',
    effect: 'not_sent',
  });
});

test.each([
  ['failed', 0, 'Pinterest could not process the video.'],
  ['processing', MAX_POLLS, 'Pinterest did not finish processing the video.'],
])('a video that is %s after %d polls fails before anything is pinned', async (status, polls, message) => {
  const flow = { ...pinterestFlows.coverless, responses: [{ json: { media_id: '500', status } }] };
  await expect(run(flow, { mediaId: '500', polls })).rejects.toMatchObject({ class: 'media_processing_failed', message });
});

test('without a board nothing is sent, and the failure says where to set it', async () => {
  await expect(run({ ...pinterestFlows.image, content: aContent({ media: [anImage()] }), responses: [] })).rejects.toMatchObject({
    class: 'validation',
    effect: 'not_sent',
    message: expect.stringContaining(
      "options.board_id: board_id is required. Set it in the options of this platform's override or in the settings",
    ),
  });
  expect(platform.received).toHaveLength(0);
});

test('an image that cannot be fetched is retried for some minutes; then its URL is rejected', async () => {
  const unreachable = {
    status: 400,
    json: { code: 235, message: 'Unable to reach the URL. Please check the URL is correct and try again.' },
  };
  const flow = { ...pinterestFlows.image, responses: [unreachable] };
  const retryFrom = { refetches: 1 };
  await expect(run(flow)).rejects.toMatchObject({ class: 'transient', effect: 'rejected', retryAfterMs: 1_000, retryFrom });
  await platform.close();
  await expect(run(flow, { refetches: MAX_REFETCHES })).rejects.toMatchObject({ class: 'validation', effect: 'rejected' });
});

test.each([
  ['a title of 101', { title: 'a'.repeat(101) }, 'title'],
  ['a link of 2,049', { link: `https://example.com/${'a'.repeat(2_029)}` }, 'link'],
  ['six images', { media: Array.from({ length: 6 }, () => anImage()) }, 'media'],
  ['no image', { media: [] }, 'media'],
  ['an image with a video', { media: [anImage(), aVideo()] }, 'media'],
  ['a video of three seconds', { media: [aVideo({ durationMs: 3_000 })] }, 'media.0'],
])('%s is found before anything is sent', (_what, more, field) => {
  const content = aContent({ media: [anImage()], ...more });
  expect(checkContent(pinterest, content)).toMatchObject([{ field }]);
});
