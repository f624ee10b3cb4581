import { eventually } from '@fanfare/testing';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '@fanfare/runtime';
import sharp from 'sharp';
import { createRenderer } from '../src/rendering/create-renderer.ts';
import type { LookOrder, PageOrder, Renderer } from '../src/rendering/renderer.ts';
import { THEMES } from '../src/rendering/paint/theme.ts';
import { BUILTIN_TEMPLATES } from '../src/templates/builtin-templates.ts';
import { sampleContent } from '../src/templates/sample-content.ts';
import type { Template } from '../src/templates/template.ts';

const template = (id: string): Template => {
  const found = BUILTIN_TEMPLATES.get(id);
  if (!found) throw new Error(`There is no template ${id}.`);
  return found;
};
const look: LookOrder = { owner: 'us', theme: THEMES[0], fonts: [], logo: undefined, businessName: 'Padaria Aurora', language: 'en' };
const anOrder = (id: string, more: Partial<PageOrder> = {}): PageOrder => {
  const { page } = template(id);
  return { page, ratio: '1:1', texts: sampleContent(page, 'latin').texts, image: undefined, number: 1, of: 3, ...more };
};
const photo = (width = 800, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .jpeg()
    .toBuffer();

const start = (queue: number) =>
  createRenderer({ threads: 2, queue, path: process.env['PATH'] ?? '', log: createLogger('test', 'silent'), timeLimitMs: 60_000 });
let renderer: Renderer;
let directory: string;
beforeAll(async () => {
  renderer = await start(64);
  directory = await mkdtemp(path.join(os.tmpdir(), 'renderer-'));
});
afterAll(async () => {
  await renderer.close();
  await rm(directory, { recursive: true });
});

test.each(['png', 'jpeg', 'webp'] as const)('a page is rendered as a %s file with its ratio and image', async (format) => {
  const order = anOrder('photo-overlay', { ratio: '4:5', image: await photo() });
  const { bytes, width, height, contrast } = await renderer.page(order, look, format);
  expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 1080, height: 1350 });
  expect([width, height]).toEqual([1080, 1350]);
  expect(contrast).toBeGreaterThanOrEqual(4.5);
});

test('a preview has the requested width', async () => {
  const { bytes } = await renderer.page(anOrder('quote-card'), look, 'webp', { width: 540 });
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 540, height: 540 });
});

test.each([
  ['logo', { logo: Buffer.from('no image at all') }, {}],
  ['image', {}, { image: Buffer.from('\x89PNG broken') }],
] as const)('a broken %s is rejected by name, and the next page is still rendered', async (what, brokenLook, brokenPage) => {
  const order = anOrder('photo-overlay', brokenPage);
  await expect(renderer.page(order, { ...look, ...brokenLook }, 'png')).rejects.toMatchObject({
    name: 'RenderRejected',
    message: expect.stringContaining(`The ${what} cannot be decoded`),
  });
  await renderer.page(anOrder('photo-overlay'), look, 'png');
});

test('an image with too many pixels is rejected', async () => {
  const image = await photo(8_000, 6_000);
  await expect(renderer.page(anOrder('split-photo', { image }), look, 'png')).rejects.toThrow('more than 40 megapixels');
});

test('if the queue is full, the next order fails immediately', async () => {
  const small = await start(1);
  const orders = Array.from({ length: 12 }, () => small.page(anOrder('quote-card'), look, 'png'));
  const results = await Promise.allSettled(orders);
  const rejected = results.filter((one) => one.status === 'rejected').map(({ reason }) => (reason as Error).name);
  expect(rejected.length).toBeGreaterThan(0);
  expect(new Set(rejected)).toEqual(new Set(['RendererBusy']));
  expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
  await small.close();
});

/** A stored template from before shapes had limits: hundreds of thousands of dots. */
const endless = (): PageOrder => {
  const layers = Array.from({ length: 400 }, (_, index) => ({
    kind: 'shape' as const,
    ...{ id: `s${index}`, shape: 'dots' as const, paint: 'accent' as const },
    ...{ opacity: 1, radius: 0, thickness: 0.01, rotation: 0 },
  }));
  const boxes = Object.fromEntries(layers.map(({ id }) => [id, [0, 0, 200, 200] as [number, number, number, number]]));
  return anOrder('quote-card', { page: { background: 'light', layers, boxes: { default: boxes } } });
};

test('an order that takes too long ends with an error, and the next one is rendered', async () => {
  const strict = await createRenderer({
    ...{ threads: 1, queue: 8, path: '/nowhere', log: createLogger('test', 'silent') },
    timeLimitMs: 4_000,
  });
  const slow = strict.page(endless(), look, 'png');
  const small = () => strict.page(anOrder('quote-card'), { ...look, owner: 'others' }, 'png');
  const next = small();
  await expect(slow).rejects.toMatchObject({ message: 'This page takes too long to render.' });
  // On a busy machine a new thread may start for longer than a page may take.
  expect(await next.catch(() => eventually(small))).toMatchObject({ width: 1080, height: 1080 });
  await strict.close();
});

test('an aborted order is removed', async () => {
  const aborting = new AbortController();
  const order = renderer.page(anOrder('quote-card'), look, 'png', { signal: aborting.signal });
  aborting.abort(new Error('Nobody waits.'));
  await expect(order).rejects.toThrow('Nobody waits.');
});

const pages = (ratio: PageOrder['ratio']) => [1, 2].map((number) => anOrder('carousel-bold', { ratio, number, of: 2 }));

test('pages become a video with an audio track and a cover', async () => {
  const clip = await renderer.clip({ kind: 'video', pages: pages('9:16'), look, secondsPerPage: 1 }, directory);
  expect(clip).toMatchObject({ mimeType: 'video/mp4', width: 1080, height: 1920, durationMs: 1_500 });
  expect(await sharp(clip.cover).metadata()).toMatchObject({ format: 'png', width: 1080, height: 1920 });
  const { Input, ALL_FORMATS, FilePathSource } = await import('mediabunny');
  const input = new Input({ source: new FilePathSource(clip.file), formats: ALL_FORMATS });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  expect([video?.codec, video?.displayWidth, video?.displayHeight, audio?.codec]).toEqual(['avc', 1080, 1920, 'aac']);
  expect(await input.computeDuration()).toBeCloseTo(1.5, 0);
  input.dispose();
});

test('pages become a looping GIF', async () => {
  const clip = await renderer.clip({ kind: 'gif', pages: pages('1:1'), look, secondsPerPage: 1 }, directory);
  const { format, width, pages: frames, loop } = await sharp(clip.file).metadata();
  expect({ format, width, loop }).toEqual({ format: 'gif', width: 480, loop: 0 });
  expect(frames).toBeGreaterThan(10);
});

test('aborting a clip ends ffmpeg, and nothing is written outside of the directory', async () => {
  const aborting = new AbortController();
  const clip = renderer.clip({ kind: 'video', pages: pages('1:1'), look, secondsPerPage: 20 }, directory, aborting.signal);
  aborting.abort(new Error('Cancelled.'));
  await expect(clip).rejects.toThrow('Cancelled.');
  expect((await readdir(directory)).every((name) => /^(page-\d\.png|clip\.(mp4|gif))$/.test(name))).toBe(true);
});

test('without ffmpeg a clip is rejected, and the error says what is missing', async () => {
  const without = await createRenderer({
    threads: 1,
    queue: 8,
    path: '/nowhere',
    log: createLogger('test', 'silent'),
    timeLimitMs: 60_000,
  });
  const clip = without.clip({ kind: 'gif', pages: pages('1:1'), look, secondsPerPage: 1 }, directory);
  await expect(clip).rejects.toMatchObject({ name: 'RenderRejected', message: expect.stringContaining('ffmpeg is not installed') });
  await without.close();
});
