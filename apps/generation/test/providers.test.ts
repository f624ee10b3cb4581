import type { Job } from '@fanfare/contracts/generation';
import { createLogger } from '@fanfare/runtime';
import sharp from 'sharp';
import { createImageModel } from '../src/providers/image-model.ts';
import { ProviderFailed } from '../src/providers/provider-failed.ts';
import { createStockPhotos } from '../src/providers/stock-photos.ts';
import { createVideoModel } from '../src/providers/video-model.ts';
import type { Call } from './running-generation.ts';
import { KEY, startWithModels } from './with-models.ts';

const NEXT = { type: 'status', status: 503 };

let generation: Awaited<ReturnType<typeof startWithModels>>;
beforeAll(async () => {
  // With the embedded composer, because these tests are about the other providers.
  generation = await startWithModels((config) => ({ ...config, languageModel: undefined, jobs: { ...config.jobs, attempts: 3 } }));
});
afterAll(() => generation.stop());
afterEach(() => generation.sandbox.clearFaults());

async function run(call: Call, more: Parameters<typeof generation.createJob>[1] = {}): Promise<Job> {
  const { id } = await generation.createJob(call, more);
  return generation.ended(call, id);
}
/** The media of a job's only post. */
function shownBy(job: Job) {
  expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', error: undefined, posts: [expect.anything()] });
  const [mediaId = ''] = generation.content.posts.get(job.posts[0]?.postId ?? '')?.mediaIds ?? [];
  const stored = generation.library.stored.get(mediaId);
  if (!stored) throw new Error('The post has no media.');
  return stored;
}
const usage = async (call: Call) => (await generation.client.getUsage({}, call)).posts;

describe('an image from a model', () => {
  test('has the requested type, style and ratio', async () => {
    const job = await run(generation.aBusiness(), {
      ...{ content: 'Isometric bread.', creativeFormats: ['ai-image'], aiImageType: 'infographic', aiImageStyle: 'isometric' },
      aspectRatio: '16:9',
    });
    const { width, height } = await sharp(shownBy(job).bytes).metadata();
    expect([width, height]).toEqual([1536, 1024]);
    const [exchange] = await generation.sandbox.exchanges('openai.create_image', 'Isometric bread');
    expect(exchange?.body).toMatchObject({
      model: 'gpt-image-1',
      size: '1536x1024',
      n: 1,
      prompt: expect.stringMatching(/infographic.*isometric/),
    });
    expect(JSON.stringify(exchange)).not.toContain(KEY);
  });

  test('is requested again if the model is unavailable or returns none', async () => {
    await generation.sandbox.fault('openai.create_image', NEXT);
    await generation.sandbox.fault('openai.create_image', { type: 'status', status: 200, body: { created: 1, data: [] } });
    shownBy(await run(generation.aBusiness(), { creativeFormats: ['ai-image'] }));
  });

  test('that the model rejects fails only its post', async () => {
    const error = {
      message: 'Your request was rejected by the safety system.',
      code: 'moderation_blocked',
      type: 'image_generation_user_error',
    };
    await generation.sandbox.fault('openai.create_image', { type: 'status', status: 400, body: { error } });
    const call = generation.aBusiness();
    const job = await run(call, { count: 2, creativeFormats: ['ai-image', 'design'] });
    expect(job).toMatchObject({
      status: 'JOB_STATUS_COMPLETED',
      credits: 1,
      warnings: ['Post 1 could not be generated: The image model rejected the request (status 400).'],
    });
    expect(await usage(call)).toBe(1);
  });

  test('that is not an image file is rejected by the library, and nothing is left', async () => {
    const data = [{ b64_json: Buffer.from('no image').toString('base64') }];
    generation.library.rejectFile('ai-image.png', 'The file is not an image.');
    await generation.sandbox.fault('openai.create_image', { type: 'status', status: 200, body: { created: 1, data } }, null);
    const call = generation.aBusiness();
    expect(await run(call, { creativeFormats: ['ai-image'] })).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: 'No post could be generated. The file is not an image.',
    });
    generation.library.rejectFile('', '');
    expect(generation.library.idsOf(call.call.metadata.businessId)).toEqual([]);
    expect(await usage(call)).toBe(0);
  });
});

describe('a video from a model', () => {
  test('is started once, and polled until it is complete', async () => {
    await generation.sandbox.fault('openai.create_video', { type: 'slow_processing', ms: 500 });
    const job = await run(generation.aBusiness(), { content: 'Video bread.', creativeFormats: ['ai-video'], aspectRatio: '16:9' });
    expect(shownBy(job).bytes.subarray(4, 8).toString()).toBe('ftyp');
    const begun = await generation.sandbox.exchanges('openai.create_video', 'Video bread');
    expect(begun).toHaveLength(1);
    expect((await generation.sandbox.exchanges('openai.get_video')).length).toBeGreaterThan(1);
  });

  test('that fails at the model fails the job with its message', async () => {
    await generation.sandbox.fault('openai.create_video', { type: 'processing_error', message: 'Blocked by moderation.' });
    expect(await run(generation.aBusiness(), { creativeFormats: ['ai-video'] })).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: 'No post could be generated. The video model failed: Blocked by moderation.',
    });
  });

  test('is fetched again if the connection breaks', async () => {
    await generation.sandbox.fault('openai.get_video_content', { type: 'truncate' });
    shownBy(await run(generation.aBusiness(), { creativeFormats: ['ai-video'] }));
  });

  test('of a cancelled job is abandoned', async () => {
    await generation.sandbox.fault('openai.create_video', { type: 'slow_processing', ms: 3_600_000 });
    const call = generation.aBusiness();
    const { id } = await generation.createJob(call, { creativeFormats: ['ai-video'] });
    const { job } = await generation.client.cancelJob({ jobId: id }, call);
    expect(job).toMatchObject({ status: 'JOB_STATUS_FAILED', error: 'The job was cancelled.', credits: 0 });
    expect(await usage(call)).toBe(0);
  });
});

describe('a stock photo', () => {
  const image = { creativeFormats: ['image'], includeStock: true };

  test('is found by words of the idea, and stored with its photographer', async () => {
    const { media, bytes } = shownBy(await run(generation.aBusiness(), { ...image, aspectRatio: '9:16' }));
    expect(media.description).toMatch(/^Photo by .+\.$/);
    const { format, width = 0, height = 0 } = await sharp(bytes).metadata();
    expect([format, width < height]).toEqual(['jpeg', true]);
    const [exchange] = await generation.sandbox.exchanges('pexels.search_photos');
    expect(exchange?.status).toBe(200);
    expect(JSON.stringify(exchange)).not.toContain(KEY);
  });

  test('is not searched if stock photos are not allowed', async () => {
    const before = (await generation.sandbox.exchanges('pexels.search_photos')).length;
    expect(await run(generation.aBusiness(), { ...image, includeStock: false })).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: expect.stringContaining('Stock photos are not allowed for this job.'),
    });
    expect(await generation.sandbox.exchanges('pexels.search_photos')).toHaveLength(before);
  });

  test('is replaced by an image of the library while the provider is unavailable', async () => {
    await generation.sandbox.fault('pexels.search_photos', { type: 'drop' }, null);
    const call = generation.aBusiness();
    const own = await generation.library.addImage(call.call.metadata.businessId, { altText: 'Sourdough from our oven' });
    expect(shownBy(await run(call, image)).media.id).toBe(own);
  });

  test('fails only its post if the provider is unavailable for long', async () => {
    await generation.sandbox.fault('pexels.search_photos', NEXT, null);
    const job = await run(generation.aBusiness(), { count: 2, creativeFormats: ['image', 'design'], includeStock: true });
    const warnings = ['Post 1 could not be generated: The stock photo provider is temporarily unavailable.'];
    expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', credits: 1, warnings });
  });

  test('in the private network is not fetched', async () => {
    const photo = { alt: '', photographer: 'Nobody', src: { original: 'http://169.254.169.254/latest/meta-data' } };
    await generation.sandbox.fault('pexels.search_photos', { type: 'status', status: 200, body: { photos: [photo] } });
    expect(await run(generation.aBusiness(), image)).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: expect.stringContaining('public address'),
    });
  });
});

describe('the error for a failure of a provider', () => {
  const signal = new AbortController().signal;
  const log = createLogger('generation', 'silent');
  /** Short if no response is expected, and long otherwise. */
  let timeoutMs = 60_000;
  const models = () => ({ url: `${generation.sandbox.url}/openai/v1`, key: KEY, timeoutMs });
  const calls = {
    'pexels.search_photos': () =>
      createStockPhotos({ url: `${generation.sandbox.url}/api.pexels.com`, key: KEY, timeoutMs }, log).search(
        { query: 'bread', ratio: '1:1' },
        signal,
      ),
    'openai.create_image': () =>
      createImageModel({ ...models(), model: 'gpt-image-1' }, log).create({ idea: 'Bread', type: null, style: null, ratio: '1:1' }, signal),
    'openai.create_video': () =>
      createVideoModel({ ...models(), model: 'sora-2' }, log).start({ prompt: 'Bread', ratio: '9:16', seconds: 4 }, signal),
  };
  const kinds = [
    [
      { type: 'status', status: 503 },
      { isPassing: true, message: expect.stringContaining('temporarily unavailable') },
    ],
    [{ type: 'drop' }, { isPassing: true, message: expect.stringContaining('temporarily unavailable') }],
    [{ type: 'hold' }, { isPassing: true, message: expect.stringContaining('did not respond in time') }],
    [
      { type: 'status', status: 429, headers: { 'retry-after': '7' } },
      { isPassing: true, retryAfterMs: 7_000 },
    ],
    [
      { type: 'status', status: 401 },
      { isPassing: false, message: expect.stringContaining('rejected the configured key') },
    ],
    [
      { type: 'status', status: 400 },
      { isPassing: false, message: expect.stringContaining('rejected the request') },
    ],
    [{ type: 'status', status: 200, body: { nonsense: true } }, { isPassing: true }],
  ] as const;
  test.each(Object.keys(calls).flatMap((call) => kinds.map(([fault, error]) => [call as keyof typeof calls, fault, error] as const)))(
    '%s, %j',
    async (call, fault, error) => {
      await generation.sandbox.fault(call, fault);
      timeoutMs = fault.type === 'hold' ? 500 : 60_000;
      const failure: unknown = await calls[call]().catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(ProviderFailed);
      expect(failure).toMatchObject(error);
      expect(String(failure)).not.toContain(KEY);
    },
  );
});
