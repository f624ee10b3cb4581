import { topics } from '@fanfare/contracts';
import { GenerationServiceService } from '@fanfare/contracts/generation';
import { UpdateDesignRequest, type Design } from '@fanfare/contracts/generation/designs';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import sharp from 'sharp';
import { BUILTIN_TEMPLATES } from '../src/templates/builtin-templates.ts';
import { aDesign, startGeneration, type Call, type TestGeneration } from './running-generation.ts';

let generation: TestGeneration;
let call: Call;
beforeAll(async () => {
  generation = await startGeneration();
});
afterAll(() => generation.stop());
beforeEach(() => {
  call = generation.aBusiness({ palette: ['#12355b', '#f2e9dc'] });
});

const create = async (more: Parameters<typeof aDesign>[0] = {}): Promise<Design> =>
  (await generation.client.createDesign(aDesign(more), call)).design ?? Promise.reject(new Error('No design.'));
const update = async (design: Design, more: Parameters<typeof UpdateDesignRequest.fromPartial>[0]): Promise<Design> => {
  const request = UpdateDesignRequest.fromPartial({ operationId: newId(), designId: design.id, ...more });
  return (await generation.client.updateDesign(request, call)).design ?? Promise.reject(new Error('No design.'));
};
const bytesOf = ({ media }: Design) => media.map(({ mediaId }) => generation.library.stored.get(mediaId)?.bytes ?? Buffer.alloc(0));
const isStored = ({ media }: Design) => media.some(({ mediaId }) => generation.library.stored.has(mediaId));
const emitted = (id: string) => generation.peer.received(topics.designChanged).filter(({ data }) => data.design?.id === id);

describe('a design', () => {
  test("is rendered in its business's colors and fonts, stored once, and emits an event", async () => {
    const request = aDesign({ name: 'Patience', aspectRatio: '4:5' });
    const { design } = await generation.client.createDesign(request, call);
    const { design: again } = await generation.client.createDesign(request, call);
    expect(again).toEqual(design);
    expect(design).toMatchObject({
      revision: 1,
      name: 'Patience',
      palette: ['#12355b', '#f2e9dc'],
      aspectRatio: '4:5',
      media: [{ url: expect.any(String) }],
    });
    expect(await sharp(bytesOf(design as Design)[0]).metadata()).toMatchObject({ format: 'png', width: 1080, height: 1350 });
    expect(generation.library.idsOf(call.call.metadata.businessId)).toHaveLength(1);
    await eventually(() => emitted(request.designId).length === 1);
  });

  test('has its texts as alternative text by default', async () => {
    const [given, other] = [await create(), await create({ pages: [{ texts: { quote: 'Hello' }, altText: 'A card that says hello' }] })];
    const altOf = ({ media }: Design) => generation.library.stored.get(media[0]?.mediaId ?? '')?.media.altText;
    expect([altOf(given), altOf(other)]).toEqual(['Bread is patience.', 'A card that says hello']);
  });

  test('of a carousel has an image for each page', async () => {
    const pages = [{ texts: { headline: 'One' } }, { texts: { headline: 'Two' } }, { texts: { headline: 'Three' } }];
    expect((await create({ templateId: 'carousel-bold', pages })).media).toHaveLength(3);
  });

  test.each<[Parameters<typeof aDesign>[0], object]>([
    [{ templateId: 'none' }, { code: 'invalid_value', param: 'template_id' }],
    [{ aspectRatio: '2:1' }, { code: 'invalid_value', param: 'aspect_ratio' }],
    [{ pages: [] }, { code: 'missing_field', param: 'pages' }],
    [{ pages: [{ texts: { quote: 'a' } }, { texts: { quote: 'b' } }] }, { code: 'invalid_value', param: 'pages' }],
    [{ pages: [{ texts: { top: 'a' } }] }, { code: 'invalid_value', param: 'pages.0.texts.top', detail: expect.stringContaining('quote') }],
    [{ pages: [{ texts: { quote: 'x'.repeat(501) } }] }, { code: 'invalid_value', param: 'pages.0.texts.quote' }],
    [{ palette: { items: ['red'] } }, { code: 'invalid_value', param: 'palette.0' }],
    [{ fonts: { items: ['Comic Sans'] } }, { code: 'invalid_value', param: 'fonts.0', detail: expect.stringContaining('Inter') }],
    [{ logoMediaId: newId() }, { code: 'invalid_value', param: 'logo_media_id' }],
    [
      { templateId: 'split-photo', pages: [{ texts: { headline: 'a' }, imageMediaId: newId() }] },
      { code: 'invalid_value', param: 'pages.0.image_media_id' },
    ],
  ])('of %j is rejected with the reason, and nothing is stored', async (more, error) => {
    await expect(create(more)).rejects.toMatchObject(error);
    expect(generation.library.idsOf(call.call.metadata.businessId)).toEqual([]);
  });

  test.each([
    ['தமிழ்', 'Tamil'],
    ['ភាសាខ្មែរ', 'Khmer'],
    ['አማርኛ', 'Ethiopic'],
  ])('with a text that no font has is rejected, and the error names the slot and the script: %s', async (quote, script) => {
    await expect(create({ pages: [{ texts: { quote } }] })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'pages.0.texts.quote',
      message: expect.stringContaining(`(${script})`),
    });
  });

  test('with a long text in a short slot is rejected, and the error names the limit', async () => {
    await expect(create({ pages: [{ texts: { quote: 'a', author: 'b'.repeat(61) } }] })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'pages.0.texts.author',
      message: 'A text in the slot author can have at most 60 characters.',
    });
  });

  test('with a broken image is rejected, and the error names the image', async () => {
    const imageMediaId = await generation.library.addImage(call.call.metadata.businessId, {}, Buffer.from('broken'));
    const pages = [{ texts: { headline: 'a' }, imageMediaId }];
    await expect(create({ templateId: 'split-photo', pages })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'pages.0.image_media_id',
    });
  });

  test('is legible with a palette of five whites', async () => {
    const white = await create({ palette: { items: Array.from({ length: 5 }, () => '#ffffff') } });
    const { channels } = await sharp(bytesOf(white)[0]).stats();
    expect(Math.min(...channels.map(({ min }) => min))).toBeLessThan(120);
  });
});

describe('an edit', () => {
  test('renders again, emits an event, and deletes the previous media unless a post uses them', async () => {
    const [first, shown] = [await create(), await create()];
    const shownId = shown.media[0]?.mediaId ?? '';
    generation.content.posts.set(newId(), { mediaIds: [shownId] } as never);
    const [second, third] = await Promise.all([
      update(first, { pages: { items: [{ texts: { quote: 'Bread is time.' } }] } }),
      update(shown, { aspectRatio: '16:9' }),
    ]);
    expect(second).toMatchObject({ revision: 2, pages: [{ texts: { quote: 'Bread is time.' } }] });
    expect(bytesOf(second)[0]?.equals(bytesOf(first)[0] ?? Buffer.alloc(0))).toBe(false);
    expect(third.aspectRatio).toBe('16:9');
    await eventually(() => !isStored(first) && isStored(second));
    expect(isStored(shown)).toBe(true);
    await eventually(() => emitted(first.id).some(({ data }) => data.design?.revision === 2));
  });

  test('of the name alone renders nothing', async () => {
    const design = await create();
    const uploads = generation.library.uploads();
    expect(await update(design, { name: 'Another' })).toMatchObject({ name: 'Another', media: design.media, revision: 2 });
    expect(generation.library.uploads()).toBe(uploads);
  });

  test('is applied once, and does not overwrite a concurrent change', async () => {
    const design = await create();
    const request = UpdateDesignRequest.fromPartial({ operationId: newId(), designId: design.id, name: 'One' });
    await generation.client.updateDesign(request, call);
    expect((await generation.client.updateDesign(request, call)).design?.revision).toBe(2);
    await expect(update(design, { name: 'Two', expectedRevisions: [1] })).rejects.toMatchObject({ code: 'precondition_failed' });
    await expect(update(design, {})).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

test('deleting a design deletes its media', async () => {
  const design = await create();
  const request = { operationId: newId(), designId: design.id, expectedRevisions: [] };
  await generation.client.deleteDesign(request, call);
  await generation.client.deleteDesign(request, call);
  await expect(generation.client.getDesign({ designId: design.id }, call)).rejects.toMatchObject({ code: 'resource_not_found' });
  await eventually(() => !isStored(design));
});

test('a design can be rendered in another ratio and format without changing it', async () => {
  const design = await create();
  const request = { renderId: newId(), designId: design.id, aspectRatio: '9:16', fileFormat: 'jpeg' };
  const { media } = await generation.client.renderDesign(request, call);
  expect(await generation.client.renderDesign(request, call)).toEqual({ media });
  expect(await sharp(generation.library.stored.get(media[0]?.mediaId ?? '')?.bytes).metadata()).toMatchObject({
    format: 'jpeg',
    width: 1080,
    height: 1920,
  });
  expect((await generation.client.getDesign({ designId: design.id }, call)).design).toEqual(design);
  await expect(generation.client.renderDesign({ ...request, renderId: newId(), fileFormat: 'bmp' }, call)).rejects.toMatchObject({
    param: 'file_format',
  });
});

test.each([
  ['another organization', () => generation.aBusiness()],
  ['the same organization', () => callAs({ organizationId: call.call.metadata.organizationId, businessId: newId() })],
])('another business of %s cannot access a design', async (_whose, anotherBusiness) => {
  const design = await create();
  const other = anotherBusiness();
  const unknown = { code: 'resource_not_found' };
  await expect(generation.client.getDesign({ designId: design.id }, other)).rejects.toMatchObject(unknown);
  await expect(
    generation.client.deleteDesign({ operationId: newId(), designId: design.id, expectedRevisions: [] }, other),
  ).rejects.toMatchObject(unknown);
  await expect(
    generation.client.renderDesign({ renderId: newId(), designId: design.id, aspectRatio: '', fileFormat: '' }, other),
  ).rejects.toMatchObject(unknown);
  expect((await generation.client.listDesigns({ pageSize: 10, pageToken: '' }, other)).designs).toEqual([]);
});

describe('templates', () => {
  const own = () => JSON.parse(JSON.stringify(BUILTIN_TEMPLATES.get('quote-card'))) as Record<string, unknown>;
  const add = async (definition: Record<string, unknown> = own()) =>
    (await generation.client.createTemplate({ templateId: newId(), definition }, call)).template ??
    Promise.reject(new Error('No template.'));
  const all = async (of: Call, format = '', pageSize = 100) => {
    const ids: string[] = [];
    let pageToken = '';
    do {
      const page = await generation.client.listTemplates({ pageSize, pageToken, format }, of);
      ids.push(...page.templates.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    return ids;
  };

  test('every business can list the built-in templates, at least sixteen, page by page', async () => {
    const ids = await all(call);
    expect(ids.length).toBeGreaterThanOrEqual(16);
    expect(await all(call, '', 5)).toEqual(ids);
    expect(await all(call, 'meme')).toEqual(['meme-classic', 'meme-caption']);
    await expect(all(call, 'poster')).rejects.toMatchObject({ code: 'invalid_value', param: 'format' });
  });

  test('a custom template comes first, can be used for designs, and is invisible to other businesses', async () => {
    const template = await add({ ...own(), name: 'House style' });
    expect(template).toMatchObject({ isOwn: true, name: 'House style', definition: { name: 'House style' } });
    expect((await all(call))[0]).toBe(template.id);
    expect(await all(call, '', 3)).toEqual(await all(call));
    const design = await create({ templateId: template.id });
    const other = generation.aBusiness();
    expect(await all(other)).not.toContain(template.id);
    await expect(generation.client.getTemplate({ templateId: template.id }, other)).rejects.toMatchObject({ code: 'resource_not_found' });
    await generation.client.deleteTemplate({ operationId: newId(), templateId: template.id }, call);
    expect(await all(call)).not.toContain(template.id);
    // Designs keep a copy of it.
    expect(await update(design, { pages: { items: [{ texts: { quote: 'Still here.' } }] } })).toMatchObject({ revision: 2 });
  });

  test('the error lists all problems of a template by path', async () => {
    const broken = { ...own(), format: 'poster', extra: 1, page: { background: 'purple', layers: [], boxes: { default: {} } } };
    await expect(add(broken)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: expect.arrayContaining([expect.objectContaining({ param: 'format' }), expect.objectContaining({ param: 'page.background' })]),
    });
  });

  test('a template of millions of dots is rejected when it is created', async () => {
    const dots = { kind: 'shape', id: 's', shape: 'dots', paint: 'accent', thickness: 0.01 };
    const page = { background: 'light', layers: [dots], boxes: { default: { s: [0, 0, 100, 100] } } };
    await expect(add({ name: 't', format: 'design', page })).rejects.toMatchObject({
      code: 'validation_failed',
      param: 'page.layers.0.thickness',
    });
  });

  test('a built-in template is returned with its definition, so that it can be copied', async () => {
    const { template } = await generation.client.getTemplate({ templateId: 'quote-card' }, call);
    expect(template?.definition).toMatchObject({ format: 'design', page: { background: expect.anything() } });
    expect(await add({ ...template?.definition, name: 'Our quotes' })).toMatchObject({ isOwn: true, name: 'Our quotes' });
  });

  test('built-in templates cannot be deleted', async () => {
    await expect(generation.client.deleteTemplate({ operationId: newId(), templateId: 'quote-card' }, call)).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  test('previews are images; those of a custom template need its token', async () => {
    const { id: templateId, previewToken: token } = await add();
    const preview = (of: { templateId: string; token: string; aspectRatio?: string }) =>
      generation.client.getTemplatePreview({ aspectRatio: '1:1', ...of }, call);
    for (const of of [
      { templateId: 'quote-card', token: '' },
      { templateId, token },
    ])
      expect(await sharp((await preview(of)).image).metadata()).toMatchObject({ format: 'webp', width: 540 });
    for (const of of [
      { templateId, token: '' },
      { templateId, token: 'wrong' },
      { templateId: 'quote-card', token: '', aspectRatio: '3:2' },
    ])
      await expect(preview(of)).rejects.toMatchObject({ code: 'resource_not_found' });
    const images = await Promise.all([1, 2, 3].map(async () => (await preview({ templateId, token })).image));
    expect(new Set(images.map((image) => image.toString('base64'))).size).toBe(1);
  });
});

test('a template that takes too long to render is an error of the request', async () => {
  const strict = await startGeneration({ change: (config) => ({ ...config, rendering: { ...config.rendering, timeLimitMs: 1 } }) });
  const rejected = { code: 'invalid_value', message: expect.stringContaining('takes too long to render') };
  await expect(strict.client.createDesign(aDesign(), strict.aBusiness())).rejects.toMatchObject({ ...rejected, param: 'template_id' });
  await expect(strict.client.getTemplatePreview({ templateId: 'quote-card', token: '', aspectRatio: '1:1' }, call)).rejects.toMatchObject(
    rejected,
  );
  await strict.stop();
});

test('suggested captions stay within the limit of the platform, and count as one post', async () => {
  const { captions, composer } = await generation.client.suggestCaptions(
    {
      operationId: newId(),
      caption: 'Fresh sourdough every morning from seven.',
      mediaId: undefined,
      count: 3,
      platform: 'x',
      tone: 'playful',
      limits: undefined,
    },
    call,
  );
  expect(composer).toBe('embedded');
  expect(captions).toHaveLength(3);
  for (const { caption, characters } of captions) {
    expect(caption).toContain('sourdough');
    expect(characters).toBeLessThanOrEqual(280);
  }
  expect(await generation.client.getUsage({}, call)).toMatchObject({ posts: 1, credits: 1 });
});

test('every method of the contract is implemented', () => {
  for (const method of Object.keys(GenerationServiceService)) expect(generation.client).toHaveProperty(method);
});
