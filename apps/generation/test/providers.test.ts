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
  // The embedded composer writes: here it is about what the other providers make.
  generation = await startWithModels((config) => ({ ...config, languageModel: undefined, jobs: { ...config.jobs, attempts: 3 } }));
});
afterAll(() => generation.stop());
afterEach(() => generation.sandbox.clearFaults());

async function run(call: Call, more: Parameters<typeof generation.createJob>[1] = {}): Promise<Job> {
  const { id } = await generation.createJob(call, more);
  return generation.ended(call, id);
}
/** What the only post of a job shows. */
function shownBy(job: Job) {
  expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', error: undefined, posts: [expect.anything()] });
  const [mediaId = ''] = generation.content.posts.get(job.posts[0]?.postId ?? '')?.mediaIds ?? [];
  const stored = generation.library.stored.get(mediaId);
  if (!stored) throw new Error('The post shows no media.');
  return stored;
}
const usage = async (call: Call) => (await generation.client.getUsage({}, call)).posts;

describe('an image of a model', () => {
  test('is of the type, style and ratio that was asked for', async () => {
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

  test('is asked for again when the model is away or returns none', async () => {
    await generation.sandbox.fault('openai.create_image', NEXT);
    await generation.sandbox.fault('openai.create_image', { type: 'status', status: 200, body: { created: 1, data: [] } });
    shownBy(await run(generation.aBusiness(), { creativeFormats: ['ai-image'] }));
  });

  test('that the model refuses fails its post alone', async () => {
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
      warnings: ['Post 1 could not be made: The image model refused the request (status 400).'],
    });
    expect(await usage(call)).toBe(1);
  });

  test('that is no image is refused by the library, and nothing is left', async () => {
    const data = [{ b64_json: Buffer.from('no image').toString('base64') }];
    generation.library.refuseFile('ai-image.png', 'The file is not an image.');
    await generation.sandbox.fault('openai.create_image', { type: 'status', status: 200, body: { created: 1, data } }, null);
    const call = generation.aBusiness();
    expect(await run(call, { creativeFormats: ['ai-image'] })).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: 'No post could be made. The file is not an image.',
    });
    generation.library.refuseFile('', '');
    expect(generation.library.idsOf(call.call.metadata.businessId)).toEqual([]);
    expect(await usage(call)).toBe(0);
  });
});

describe('a video of a model', () => {
  test('is begun once, and asked for until it is there', async () => {
    await generation.sandbox.fault('openai.create_video', { type: 'slow_processing', ms: 500 });
    const job = await run(generation.aBusiness(), { content: 'Video bread.', creativeFormats: ['ai-video'], aspectRatio: '16:9' });
    expect(shownBy(job).bytes.subarray(4, 8).toString()).toBe('ftyp');
    const begun = await generation.sandbox.exchanges('openai.create_video', 'Video bread');
    expect(begun).toHaveLength(1);
    expect((await generation.sandbox.exchanges('openai.get_video')).length).toBeGreaterThan(1);
  }, 180_000);

  test('that could not be made fails with the words of the model', async () => {
    await generation.sandbox.fault('openai.create_video', { type: 'processing_error', message: 'Blocked by moderation.' });
    expect(await run(generation.aBusiness(), { creativeFormats: ['ai-video'] })).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: 'No post could be made. The video model could not make it: Blocked by moderation.',
    });
  });

  test('is fetched again when the connection breaks off', async () => {
    await generation.sandbox.fault('openai.get_video_content', { type: 'truncate' });
    shownBy(await run(generation.aBusiness(), { creativeFormats: ['ai-video'] }));
  }, 180_000);

  test('of a cancelled job is given up', async () => {
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

  test('is found by words of the idea, stored with who took it', async () => {
    const { media, bytes } = shownBy(await run(generation.aBusiness(), { ...image, aspectRatio: '9:16' }));
    expect(media.description).toMatch(/^Photo by .+\.$/);
    const { format, width = 0, height = 0 } = await sharp(bytes).metadata();
    expect([format, width < height]).toEqual(['jpeg', true]);
    const [exchange] = await generation.sandbox.exchanges('pexels.search_photos');
    expect(exchange?.status).toBe(200);
    expect(JSON.stringify(exchange)).not.toContain(KEY);
  });

  test('is not looked for where it is not allowed', async () => {
    const before = (await generation.sandbox.exchanges('pexels.search_photos')).length;
    expect(await run(generation.aBusiness(), { ...image, includeStock: false })).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: expect.stringContaining('Stock photos are not allowed for it.'),
    });
    expect(await generation.sandbox.exchanges('pexels.search_photos')).toHaveLength(before);
  });

  test('comes from the library while the provider is away', async () => {
    await generation.sandbox.fault('pexels.search_photos', { type: 'drop' }, null);
    const call = generation.aBusiness();
    const own = await generation.library.addImage(call.call.metadata.businessId, { altText: 'Sourdough from our oven' });
    expect(shownBy(await run(call, image)).media.id).toBe(own);
  });

  test('that cannot be had for long fails its post alone', async () => {
    await generation.sandbox.fault('pexels.search_photos', NEXT, null);
    const job = await run(generation.aBusiness(), { count: 2, creativeFormats: ['image', 'design'], includeStock: true });
    const warnings = ['Post 1 could not be made: The stock photo provider is temporarily unavailable.'];
    expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', credits: 1, warnings });
  });

  test('inside our network is not fetched', async () => {
    const photo = { alt: '', photographer: 'Nobody', src: { original: 'http://169.254.169.254/latest/meta-data' } };
    await generation.sandbox.fault('pexels.search_photos', { type: 'status', status: 200, body: { photos: [photo] } });
    expect(await run(generation.aBusiness(), image)).toMatchObject({
      status: 'JOB_STATUS_FAILED',
      error: expect.stringContaining('public address'),
    });
  });
});

describe('what goes wrong at a provider is told by its kind', () => {
  const signal = new AbortController().signal;
  const log = createLogger('generation', 'silent');
  /** Short where nothing is to come, long where something is. */
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
      { isPassing: false, message: expect.stringContaining('rejected the key') },
    ],
    [
      { type: 'status', status: 400 },
      { isPassing: false, message: expect.stringContaining('refused the request') },
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
