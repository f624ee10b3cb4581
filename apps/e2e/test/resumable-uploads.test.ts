import { eventually } from '@fanfare/testing';
import sharp from 'sharp';
import { DetailedError } from 'tus-js-client';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { sendResumably } from '../src/resumable.ts';

let platform: Platform;
let image: Buffer;
beforeAll(async () => {
  platform = await borrowPlatform();
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  image = await sharp({ create: { width: 3000, height: 2600, channels: 3, background: 'white', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer();
});
afterAll(() => platform.stop());

interface MediaBody {
  readonly id: string;
  readonly status: string;
  readonly url: string;
  readonly size_bytes: number;
  readonly alt_text: string;
  readonly file_name: string;
  readonly error: { readonly code: string } | null;
}

const toUs = () => ({
  baseUrl: platform.baseUrl,
  apiKey: platform.tenant.api_key,
  metadata: { business_id: platform.tenant.business_id, filename: 'noise.png', alt_text: 'Noise' },
});
const read = async (id: string) =>
  (await platform.api<MediaBody>('GET', `/api/businesses/${platform.tenant.business_id}/media/${id}`)).body;
const untilReady = (id: string) =>
  eventually(async () => {
    const media = await read(id);
    return media.status === 'ready' && media;
  });
const storage = async () => (await platform.api<{ storage: { bytes: { used: number } } }>('GET', '/api/usage')).body.storage;

/** The media is complete, exists once, and has the bytes that were sent. */
async function expectWhole(id: string): Promise<void> {
  const media = await untilReady(id);
  expect(media).toMatchObject({ size_bytes: image.length, alt_text: 'Noise', file_name: 'noise.png' });
  const served = await fetch(media.url);
  expect(Buffer.from(await served.arrayBuffer()).equals(image)).toBe(true);
}

/** Runs something once, when half of the file was sent. */
const atHalf = (work: () => void) => {
  let isDone = false;
  return (sent: number) => {
    if (isDone || sent < image.length / 2) return;
    isDone = true;
    work();
  };
};

test('an upload whose gateway is killed continues where it was, through another gateway', async () => {
  const other = await platform.addGateway();
  let killed: Promise<void> | undefined;
  const broken = sendResumably(image, {
    ...toUs(),
    bytesPerRequest: Math.ceil(image.length / 3),
    onSent: atHalf(() => void (killed = platform.kill('gateway'))),
  });
  await expect(broken.done).rejects.toThrow();
  await killed;

  let first = image.length;
  const resumed = sendResumably(image, {
    ...toUs(),
    baseUrl: other.baseUrl,
    uploadUrl: other.baseUrl + new URL(broken.url()).pathname,
    retryDelays: [100, 500, 1000],
    onSent: (sent) => (first = Math.min(first, sent)),
  });
  const id = await resumed.done;
  expect(first).toBeGreaterThanOrEqual(Math.ceil(image.length / 3));
  await platform.start('gateway');
  await expectWhole(id);
});

test('an upload whose library is killed continues when the library runs again', async () => {
  let restarted: Promise<void> | undefined;
  const upload = sendResumably(image, {
    ...toUs(),
    retryDelays: [100, 500, 1000, 1000, 2000, ...Array<number>(16).fill(5000)],
    onSent: atHalf(() => {
      restarted = platform.kill('library').then(() => platform.start('library'));
    }),
  });
  const id = await upload.done;
  await restarted;
  await expectWhole(id);
});

test('a file that is not media is rejected with its last byte, and nothing of it is stored', async () => {
  const before = await storage();
  const upload = sendResumably(Buffer.alloc(3_000_000, 'MZ'), toUs());
  const error = await upload.done.catch((thrown: unknown) => thrown as DetailedError);
  expect(error).toBeInstanceOf(DetailedError);
  const response = (error as DetailedError).originalResponse;
  expect(response?.getStatus()).toBe(400);
  expect(JSON.parse(response?.getBody() ?? '')).toMatchObject({ code: 'invalid_value', param: 'file' });

  const id = new URL(upload.url()).pathname.split('.').at(-1) ?? '';
  expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'invalid_value' }, url: null });

  // A client that resumes it finds nothing, sends everything again, and is rejected again.
  const resumed = sendResumably(Buffer.alloc(3_000_000, 'MZ'), { ...toUs(), uploadUrl: upload.url() });
  await expect(resumed.done).rejects.toThrow(/response code: 400/);
  expect(resumed.url()).not.toBe(upload.url());
  expect(await storage()).toEqual(before);
});

test('another organization can neither read nor change it', async () => {
  const upload = await platform.api('POST', '/api/media/uploads', undefined, {
    'tus-resumable': '1.0.0',
    'upload-length': '10',
    'upload-metadata': `business_id ${Buffer.from(platform.tenant.business_id).toString('base64')}`,
  });
  expect(upload.status).toBe(201);
  const path = new URL(upload.headers.get('location') ?? '').pathname;
  const tus = { 'tus-resumable': '1.0.0' };
  expect((await platform.foreign.api('HEAD', path, undefined, tus)).status).toBe(404);
  const part = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  expect((await platform.foreign.api('PATCH', path, 'x'.repeat(10), part)).status).toBe(404);
  expect((await platform.foreign.api('DELETE', path, undefined, tus)).status).toBe(404);
  expect((await platform.api('HEAD', path, undefined, tus)).headers.get('upload-offset')).toBe('0');
  expect((await platform.api('DELETE', path, undefined, tus)).status).toBe(204);
});
