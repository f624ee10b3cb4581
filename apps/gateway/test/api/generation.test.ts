import { DomainError } from '@fanfare/errors';
import { PREVIEW } from '../fakes/fake-generation.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
let business: string;
beforeAll(async () => {
  gateway = await startGateway();
  business = `/api/businesses/${gateway.businessId}`;
});
afterAll(() => gateway.stop());

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  gateway.call(path.startsWith('/') ? path : `${business}/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>;
const callsOf = (method: string) => gateway.services.calls.filter((call) => call.method === method);

describe('generating posts', () => {
  test('returns 202 with a job to poll, is marked as deprecated, and is charged by the plan', async () => {
    const response = await send('POST', 'posts/generate', { content: 'Bread', count: 2, creative_formats: ['design', 'meme'] });
    expect(response.status).toBe(202);
    const job = await bodyOf(response);
    expect(job).toMatchObject({
      status: 'pending',
      data: [],
      error: null,
      credits: 2,
      progress: { step: 'input', completed: 0, total: 2, percent: 0 },
    });
    expect(response.headers.get('location')).toMatch(new RegExp(`${business}/jobs/${String(job['job_id'])}$`));
    expect(response.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(response.headers.get('link')).toMatch(/^<http.*>; rel="deprecation"/);
    expect(callsOf('createJob').at(-1)?.request).toMatchObject({
      content: 'Bread',
      count: 2,
      creativeFormats: ['design', 'meme'],
      limits: { postsPerMonth: 200, creditsPerMonth: 200 },
    });
    const polled = await bodyOf(await send('GET', `jobs/${String(job['job_id'])}`));
    expect(polled).toMatchObject({
      status: 'completed',
      data: [
        {
          post_id: 'p',
          caption: 'Bread',
          title: '',
          creative_format: 'design',
          slides: [],
          rendered_urls: [],
          score: { overall: 90, contrast: null },
        },
      ],
      progress: { step: 'done', percent: 100 },
    });
  });

  test('is the same job for the same Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'generate-1' };
    const [first, second] = [
      await send('POST', 'posts/generate', { content: 'A' }, key),
      await send('POST', 'posts/generate', { content: 'A' }, key),
    ];
    expect((await bodyOf(second))['job_id']).toBe((await bodyOf(first))['job_id']);
  });

  test.each<[object, { status: number; code: string; param?: string }]>([
    [{}, { status: 400, code: 'missing_field', param: 'content' }],
    [
      { content: 'a', count: 0 },
      { status: 422, code: 'validation_failed', param: 'count' },
    ],
    [
      { content: 'a', count: 11 },
      { status: 422, code: 'validation_failed', param: 'count' },
    ],
    [
      { content: 'a', count: 1.5 },
      { status: 422, code: 'validation_failed', param: 'count' },
    ],
    [
      { content: 'a', creative_formats: ['poster'] },
      { status: 422, code: 'validation_failed', param: 'creative_formats.0' },
    ],
    [
      { content: 'a', aspect_ratio: '3:2' },
      { status: 422, code: 'validation_failed', param: 'aspect_ratio' },
    ],
    [{ content: 'x'.repeat(20_001) }, { status: 422, code: 'validation_failed', param: 'content' }],
  ])('is rejected with the problem', async (body, expected) => {
    await expectProblem(await send('POST', 'posts/generate', body), expected);
  });

  test('beyond the quota names the quota, and when to retry', async () => {
    gateway.services.failures.set(
      'createJob',
      new DomainError('rate_limit_exceeded', 'No posts left.', { retryAfterSeconds: 60, members: { quota: 'generated_posts_per_month' } }),
    );
    const response = await send('POST', 'posts/generate', { content: 'a' });
    expect(response.headers.get('retry-after')).toBe('60');
    expect(await expectProblem(response, { status: 429, code: 'rate_limit_exceeded' })).toMatchObject({
      quota: 'generated_posts_per_month',
    });
  });

  test('can be listed and cancelled', async () => {
    const { job_id: id } = await bodyOf(await send('POST', 'posts/generate', { content: 'a' }));
    expect((await bodyOf(await send('GET', 'jobs?status=completed')))['items']).toEqual(
      expect.arrayContaining([expect.objectContaining({ job_id: id })]),
    );
    expect(await bodyOf(await send('POST', `jobs/${String(id)}/cancel`, {}))).toMatchObject({
      status: 'failed',
      error: 'The job was cancelled.',
    });
    expect((await send('GET', 'jobs?status=done')).status).toBe(400);
  });
});

test('a design is created, changed at an expected revision, rendered and deleted', async () => {
  const created = await send('POST', 'designs', {
    template_id: 'quote-card',
    pages: [{ texts: { quote: 'Bread' } }],
    palette: ['#112233'],
    logo_media_id: null,
  });
  expect(created.status).toBe(201);
  const design = await bodyOf(created);
  const path = `designs/${String(design['id'])}`;
  expect(design).toMatchObject({
    template_id: 'quote-card',
    aspect_ratio: '1:1',
    pages: [{ texts: { quote: 'Bread' }, image_media_id: null }],
    palette: ['#112233'],
    media: [{ url: expect.any(String) }],
  });
  expect(callsOf('createDesign').at(-1)?.request).toMatchObject({ logoMediaId: '', fonts: undefined });
  const etag = created.headers.get('etag') ?? '';
  const updated = await send('PATCH', path, { name: 'New' }, { 'if-match': etag });
  expect(await bodyOf(updated)).toMatchObject({ name: 'New' });
  await expectProblem(await send('PATCH', path, { name: 'Newer' }, { 'if-match': etag }), { status: 412, code: 'precondition_failed' });
  expect(await bodyOf(await send('POST', `${path}/render`, { aspect_ratio: '9:16', file_format: 'jpeg' }))).toEqual({
    media: design['media'],
  });
  expect((await bodyOf(await send('GET', 'designs')))['items']).toHaveLength(1);
  expect((await send('DELETE', path)).status).toBe(200);
  await expectProblem(await send('GET', path), { status: 404, code: 'resource_not_found' });
});

test('templates are listed with previews that are public, own ones by their token', async () => {
  const page = {
    background: 'primary',
    layers: [{ kind: 'text', id: 'words', items: [{ slot: 'headline', size: 9 }] }],
    boxes: { default: { words: [8, 8, 84, 84] } },
  };
  const own = await bodyOf(await send('POST', 'templates', { name: 'Own', format: 'design', page }));
  expect(own).toMatchObject({
    is_own: true,
    definition: { name: 'Own', page: { background: 'primary', boxes: page.boxes } },
    previews: { '1:1': expect.stringMatching(/\/templates\/[\w-]+\/token\/1x1\.webp$/) },
  });
  const { items } = (await bodyOf(await send('GET', 'templates'))) as { items: { id: string; previews: Record<string, string> }[] };
  expect(items.map(({ id }) => id)).toEqual([own['id'], 'quote-card']);
  const preview = await gateway.call(new URL(items[1]?.previews['1:1'] ?? '').pathname, { key: null });
  expect([preview.status, preview.headers.get('content-type'), preview.headers.get('cache-control')]).toEqual([
    200,
    'image/webp',
    'public, max-age=86400',
  ]);
  expect(Buffer.from(await preview.arrayBuffer()).equals(PREVIEW)).toBe(true);
  const again = await gateway.call('/templates/quote-card/1x1.webp', {
    key: null,
    headers: { 'if-none-match': preview.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
  expect(callsOf('getTemplatePreview')).toHaveLength(1);
  for (const path of [
    '/templates/quote-card/3x2.webp',
    `/templates/${String(own['id'])}/wrong/1x1.webp`,
    '/templates/quote-card',
    '/templates/a/b/c/1x1.webp',
  ])
    await expectProblem(await gateway.call(path, { key: null }), { status: 404, code: 'resource_not_found' });
  expect((await send('DELETE', `templates/${String(own['id'])}`)).status).toBe(200);
});

test('the error of an invalid template lists every problem with its path', async () => {
  const page = {
    background: 'purple',
    layers: [
      { kind: 'shape', id: 'Dots', shape: 'dots', paint: 'accent', slot: 'headline' },
      { kind: 'text', id: 'words', items: [{ slot: 'headline', size: 90 }] },
      { kind: 'video', id: 'film' },
      { kind: 'logo' },
    ],
    boxes: { default: { words: [8, 8, 84] } },
  };
  const { errors } = await expectProblem(await send('POST', 'templates', { name: 'Own', format: 'design', page }), {
    status: 422,
    code: 'validation_failed',
    param: 'page.background',
  });
  const problems = Object.fromEntries((errors as { param: string; detail: string }[]).map((one) => [one.param, one.detail]));
  expect(problems).toEqual({
    'page.background': 'page.background must be primary, secondary, accent, light, dark, or a color such as #12355b.',
    'page.layers.0.id': 'page.layers.0.id must be 1 to 40 small letters, digits and hyphens, and start with a letter.',
    'page.layers.0.slot': 'Unknown field "page.layers.0.slot".',
    'page.layers.1.items.0.size': 'page.layers.1.items.0.size must be at most 40.',
    'page.layers.2.kind': 'page.layers.2.kind must be "shape", "image", "logo" or "text".',
    'page.layers.3.id': 'page.layers.3.id is required.',
    'page.boxes.default.words': 'page.boxes.default.words must have at least 4 entries.',
  });
  const overlapping = {
    background: 'light',
    layers: ['a', 'b'].map((id) => ({ kind: 'text', id, items: [{ slot: 'headline', size: 9 }] })),
    boxes: { default: { a: [5, 5, 50, 50], b: [40, 40, 50, 50] } },
  };
  const response = await send('POST', 'templates', { name: 'Own', format: 'design', page: overlapping });
  expect(await expectProblem(response, { status: 422, code: 'validation_failed', param: 'page.boxes.default.b' })).toMatchObject({
    detail: expect.stringContaining('overlaps the box of "a" in 1:1'),
  });
});

test('returns caption suggestions', async () => {
  const response = await send('POST', 'captions/suggest', { caption: 'Bread', platform: 'x', count: 1 });
  expect(await bodyOf(response)).toEqual({
    captions: [{ caption: 'Bread! #bread', characters: 13, hashtags: ['bread'] }],
    composer: 'embedded',
  });
  expect((await send('POST', 'captions/suggest', { caption: 'Bread', count: 6 })).status).toBe(422);
  expect((await send('POST', 'captions/suggest', { caption: 'Bread', platform: 'myspace' })).status).toBe(422);
});

test('generated posts are counted in the usage, with the limit of the plan', async () => {
  expect(await bodyOf(await send('GET', '/api/usage'))).toMatchObject({
    generated_posts: { limit: 200, used: 3, remaining: 197, resets_at: '2026-09-01T00:00:00.000Z' },
    credits: { limit: 200, used: 2, remaining: 198 },
  });
  expect(await bodyOf(await send('GET', '/api/plan'))).toMatchObject({ generated_posts_per_month: 200, credits_per_month: 200 });
});
