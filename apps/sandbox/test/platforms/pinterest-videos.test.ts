import { connectPinterest } from './connect-pinterest.ts';
import { video, formOf, uploadVideo } from './pinterest-video.ts';
import { mediaServer, reel, runningSandbox, until, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;
let user: Awaited<ReturnType<typeof connectPinterest>>;

beforeAll(async () => {
  sandbox = await runningSandbox();
  media = await mediaServer();
  user = await connectPinterest(sandbox);
});
afterAll(async () => {
  await media.stop();
  await sandbox.stop();
});

const pin = (media_source: object) => user.post('pins', { board_id: user.board, media_source });

interface Registered {
  media_id: string;
  upload_url: string;
  upload_parameters: Record<string, string>;
}
const register = async (): Promise<Registered> => (await user.post('media', { media_type: 'video' })).body;
const statusOf = async (id: string): Promise<string> => (await user.get(`media/${id}`)).body.status;

describe('videos', () => {
  it('are registered, sent to the storage, processed and then pinned with a cover', async () => {
    await sandbox.control('/faults', {
      platform: 'pinterest',
      call: 'pinterest.upload_video',
      fault: { type: 'slow_processing', ms: 30_000 },
    });
    const { media_id, upload_url, upload_parameters } = await register();
    expect(await statusOf(media_id)).toBe('registered');
    expect((await sandbox.call(upload_url, { body: formOf(upload_parameters) })).status).toBe(204);
    expect(await statusOf(media_id)).toBe('processing');
    const source = { source_type: 'video_id', media_id, cover_image_url: media.url('square.jpg') };
    expect((await pin(source)).status).toBe(400);
    sandbox.clock.aheadMs = 31_000;
    const done = await until(
      () => statusOf(media_id),
      (status) => status !== 'processing',
    );
    const made = await pin(source);
    sandbox.clock.aheadMs = 0;
    expect(done).toBe('succeeded');
    expect(made).toMatchObject({
      status: 201,
      body: { creative_type: 'VIDEO', media: { media_type: 'video', duration: expect.any(Number) } },
    });
    const kept = (await sandbox.control('/posts?platform=pinterest')).body.items.at(-1);
    expect(kept).toMatchObject({
      media: [{ kind: 'video', thumbnail_url: expect.stringContaining('/_control/media/') }],
      details: { cover: { width: 600, height: 600 } },
    });
    expect((await sandbox.call('/')).text).toContain(`poster="${kept.media[0].thumbnail_url}"`);
  });

  it('that are invalid or too short, fail', async () => {
    expect(await statusOf(await uploadVideo(sandbox, user, Buffer.from('not a video')))).toBe('failed');
    expect(await statusOf(await uploadVideo(sandbox, user, reel))).toBe('failed');
  });

  it('require exactly one form of cover', async () => {
    const source = { source_type: 'video_id', media_id: await uploadVideo(sandbox, user) };
    const message = expect.stringContaining('cover_image_url');
    expect(await pin(source)).toMatchObject({ status: 400, body: { message } });
    const both = { ...source, cover_image_url: media.url('square.jpg'), cover_image_key_frame_time: 0 };
    expect(await pin(both)).toMatchObject({ status: 400, body: { message } });
    expect((await pin({ ...source, cover_image_key_frame_time: 0 })).status).toBe(201);
  });

  const change = (edit: (form: Record<string, string>) => Record<string, string>) => (form: Record<string, string>) => formOf(edit(form));
  it.each<[string, (form: Record<string, string>) => FormData, number, string]>([
    ['without a parameter', change(({ policy: _, ...form }) => form), 403, 'AccessDenied'],
    ['with another signature', change((form) => ({ ...form, 'x-amz-signature': 'f'.repeat(64) })), 403, 'SignatureDoesNotMatch'],
    ['with an additional field', change((form) => ({ ...form, acl: 'public-read' })), 403, 'Extra input fields'],
    ['with a key that was not signed', change((form) => ({ ...form, key: 'mine' })), 403, 'AccessDenied'],
    [
      'whose file comes before its parameters',
      (parameters) => {
        const form = new FormData();
        form.set('file', new Blob([new Uint8Array(video)]), 'video.mp4');
        for (const [name, value] of Object.entries(parameters)) form.set(name, value);
        return form;
      },
      403,
      'AccessDenied',
    ],
    [
      'without a file',
      (parameters) => {
        const form = formOf(parameters);
        form.delete('file');
        return form;
      },
      400,
      'exactly one file',
    ],
  ])('are rejected by the storage in a form %s', async (_, edit, status, text) => {
    const { media_id, upload_url, upload_parameters } = await register();
    const response = await sandbox.call(upload_url, { body: edit(upload_parameters) });
    expect(response).toMatchObject({ status, text: expect.stringContaining(text) });
    expect(response.headers.get('content-type')).toBe('application/xml');
    expect(await statusOf(media_id)).toBe('registered');
  });

  it('are rejected by the storage after an hour, or with a token', async () => {
    const { upload_url, upload_parameters } = await register();
    const withToken = await sandbox.call(upload_url, { body: formOf(upload_parameters), headers: { authorization: 'Bearer x' } });
    expect(withToken.text).toContain('Only one auth mechanism');
    sandbox.clock.aheadMs = 3601_000;
    const late = await sandbox.call(upload_url, { body: formOf(upload_parameters) });
    sandbox.clock.aheadMs = 0;
    expect(late).toMatchObject({ status: 403, text: expect.stringContaining('Policy expired') });
  });

  it('do not show the signature in the journal', async () => {
    const { upload_parameters } = await register();
    const signature = upload_parameters['x-amz-signature']!;
    expect((await sandbox.control('/requests?platform=pinterest')).text).not.toContain(signature);
  });
});
