import type { Media } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { AT, aMedia } from '../values.ts';
import { admin, BASE_URL, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

let gateway: RunningGateway;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
  path = `/api/businesses/${gateway.businessId}/media`;
});
afterAll(() => gateway.stop());

const stored = (more: Partial<Media> = {}): Media => {
  const media = aMedia({ id: newId(), businessId: gateway.businessId, ...more });
  gateway.services.media.set(media.id, media);
  return media;
};
const lastCall = (method: string) => gateway.services.calls.findLast((call) => call.method === method);
const current = { 'service-version': '2026-08-06' };
const send = (method: string, at: string, body?: unknown, headers: Record<string, string> = {}, key = gateway.apiKey) =>
  gateway.call(at, {
    method,
    key,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });

describe('a media', () => {
  it('is returned with all its fields', async () => {
    const { id } = stored({
      type: 'MEDIA_TYPE_VIDEO',
      mimeType: 'video/mp4',
      durationMs: 2_500,
      originalUrl: 'https://example.com/a.mp4',
      source: 'https://example.com/a.mp4',
      fileName: 'a.mp4',
      folderId: '019a0000-0000-7000-8000-00000000000f',
      altText: 'A',
      description: 'D',
      transcript: 'T',
      thumbnailUrl: 'http://x/t',
      coverUrl: 'http://x/c',
      placeholder: 'data:x',
      facts: { rotation: 90, videoCodec: 'h264', frameRate: 29.97, bitRate: 1_000_000, hasLocation: false },
    });
    const response = await send('GET', `${path}/${id}`, undefined, current);
    expect(response.headers.get('etag')).toBe('"1.2026-08-06"');
    expect(await response.json()).toEqual({
      self: `${BASE_URL}${path}/${id}`,
      id,
      business_id: gateway.businessId,
      created_at: AT.toISOString(),
      updated_at: AT.toISOString(),
      status: 'ready',
      error: null,
      type: 'video',
      mime_type: 'video/mp4',
      size_bytes: 21,
      width: 2,
      height: 3,
      duration_ms: 2_500,
      url: 'http://127.0.0.1/media/known/s',
      original_url: 'https://example.com/a.mp4',
      source: 'https://example.com/a.mp4',
      file_name: 'a.mp4',
      folder_id: '019a0000-0000-7000-8000-00000000000f',
      alt_text: 'A',
      description: 'D',
      transcript: 'T',
      thumbnail_url: 'http://x/t',
      cover_url: 'http://x/c',
      placeholder: 'data:x',
      details: {
        has_alpha: null,
        frames: null,
        colour_space: null,
        orientation: null,
        rotation: 90,
        video_codec: 'h264',
        audio_codec: null,
        frame_rate: 29.97,
        bit_rate: 1_000_000,
        has_location: false,
      },
    });
    expect((await send('GET', `${path}/${id}`, undefined, { ...current, 'if-none-match': '"1.2026-08-06"' })).status).toBe(304);
  });

  it('that is processing, or failed, has no unknown fields', async () => {
    const nothing = { type: 'MEDIA_TYPE_UNSPECIFIED', mimeType: '', sizeBytes: 0, width: 0, height: 0, url: '' } as const;
    const unknown = {
      type: '',
      mime_type: null,
      size_bytes: null,
      width: null,
      height: null,
      url: null,
      details: null,
      thumbnail_url: null,
    };
    const { id: underWay } = stored({ ...nothing, status: 'MEDIA_STATUS_PROCESSING' });
    expect(await (await send('GET', `${path}/${underWay}`)).json()).toMatchObject({ ...unknown, status: 'processing', error: null });
    const failure = { code: 'invalid_value', detail: 'No media.' };
    const { id: failed } = stored({ ...nothing, status: 'MEDIA_STATUS_FAILED', failure });
    expect(await (await send('GET', `${path}/${failed}`)).json()).toMatchObject({ ...unknown, status: 'failed', error: failure });
  });

  it('is changed and deleted at the revision of If-Match', async () => {
    const { id } = stored();
    const changed = await send('PATCH', `${path}/${id}`, { alt_text: 'New' }, { ...current, 'if-match': '"1.2026-08-06"' });
    expect(changed.headers.get('etag')).toBe('"2.2026-08-06"');
    expect(await changed.json()).toMatchObject({ self: `${BASE_URL}${path}/${id}`, alt_text: 'New' });
    expect(lastCall('updateMedia')?.request).toMatchObject({ mediaId: id, expectedRevisions: [1], altText: 'New' });

    const deleted = await send('DELETE', `${path}/${id}`, undefined, { 'if-match': '"2.2026-08-06"' });
    expect([deleted.status, await deleted.json()]).toEqual([200, { status: 'deleted' }]);
    expect(lastCall('deleteMedia')?.request).toMatchObject({ mediaId: id, expectedRevisions: [2], force: false });
  });

  it('distinguishes absent, null and given fields of a change', async () => {
    const { id } = stored();
    await send('PATCH', `${path}/${id}`, { description: '', transcript: 'WEBVTT' });
    expect(lastCall('updateMedia')?.request).toEqual({
      operationId: expect.any(String) as string,
      mediaId: id,
      expectedRevisions: [],
      description: '',
      transcript: 'WEBVTT',
    });
    await send('PATCH', `${path}/${id}`, { folder_id: null });
    expect(lastCall('updateMedia')?.request).toMatchObject({ folderId: '' });
    const folder = newId();
    await send('PATCH', `${path}/${id}`, { folder_id: folder.toUpperCase() });
    expect(lastCall('updateMedia')?.request).toMatchObject({ folderId: folder });
  });

  it.each(['123', ''])('cannot be moved to the folder %j', async (folder_id) => {
    const { id } = stored();
    await expectProblem(await send('PATCH', `${path}/${id}`, { folder_id }), { status: 400, code: 'invalid_value', param: 'folder_id' });
  });

  it('that a post needs is deleted only by force', async () => {
    const { id } = stored({ id: `needed-${newId()}` });
    for (const query of ['', '?force=false']) {
      await expectProblem(await send('DELETE', `${path}/${id}${query}`), { status: 409, code: 'conflict' });
    }
    expect((await send('DELETE', `${path}/${id}?force=true`)).status).toBe(200);
    for (const query of ['force=1', 'force=', 'force=true&force=true']) {
      await expectProblem(await send('DELETE', `${path}/x?${query}`), { status: 400, code: 'invalid_value', param: 'force' });
    }
  });

  it.each(['x', '123', 'a%2Fb', newId()])('with the id %s is not found', async (id) => {
    for (const [method, body] of [['GET'], ['PATCH', { alt_text: 'x' }], ['DELETE']] as const) {
      await expectProblem(await send(method, `${path}/${id}`, body), { status: 404, code: 'resource_not_found' });
    }
  });

  it('is read by viewers, and written by editors', async () => {
    const { id } = stored();
    const viewer = await signedIn(gateway, { [gateway.organizationId]: 'viewer' });
    const editor = await signedIn(gateway, { [gateway.organizationId]: 'editor' });
    for (const at of [path, `${path}/${id}`]) expect((await send('GET', at, undefined, {}, viewer)).status).toBe(200);
    for (const [method, body] of [['PATCH', { alt_text: 'x' }], ['DELETE']] as const) {
      await expectProblem(await send(method, `${path}/${id}`, body, {}, viewer), { status: 403, code: 'permission_denied' });
      expect((await send(method, `${path}/${id}`, body, {}, editor)).ok).toBe(true);
    }
  });
});

describe('the list of a folder', () => {
  it('is a page of media', async () => {
    const { id } = stored();
    const folder = newId();
    const response = await send('GET', `${path}?folder_id=${folder.toUpperCase()}&limit=7&cursor=abc`, undefined, current);
    const page = (await response.json()) as { self: string; items: { id: string }[]; next: string };
    expect(page).toMatchObject({ self: `${BASE_URL}${path}?folder_id=${folder.toUpperCase()}&limit=7&cursor=abc`, next: 'more' });
    expect(page.items.map((item) => item.id)).toContain(id);
    expect(page.items[0]).not.toHaveProperty('self');
    expect(lastCall('listMedia')?.request).toEqual({ allFolders: false, folderId: folder, pageSize: 7, pageToken: 'abc' });
  });

  it.each(['', '?folder_id=null'])('is that of the root: %j', async (query) => {
    expect((await send('GET', path + query)).status).toBe(200);
    expect(lastCall('listMedia')?.request).toEqual({ allFolders: false, folderId: undefined, pageSize: 20, pageToken: '' });
  });

  it.each(['123', '', 'NULL', `${newId()}&folder_id=null`])('is not found for folder_id=%s', async (folder) => {
    await expectProblem(await send('GET', `${path}?folder_id=${folder}`), { status: 400, code: 'invalid_value', param: 'folder_id' });
  });
});

describe('storage limits', () => {
  const limits = { apiAccess: true, requestsPerMinute: 1e6, requestsPerDay: 1e6, requestsPerWeek: 1e6, generatedPostsPerMonth: 0 };

  it('of the plan are passed on with every request that may store something, and with no other', async () => {
    await gateway.admin.putPlan({ plan: { ...limits, id: 'roomy', storageBytes: 5_000_000_000 } }, admin);
    await gateway.context.db
      .collection('organizations')
      .updateOne({ _id: gateway.organizationId as never }, { $set: { plan_id: 'roomy' } });
    const key = (await gateway.admin.createApiKey({ organizationId: gateway.organizationId, name: 'fresh' }, admin)).apiKey;
    const { id } = stored();
    await send('PATCH', `${path}/${id}`, { alt_text: 'x' }, {}, key);
    expect(lastCall('updateMedia')?.metadata.storageLimits).toBe('5000000000/10000');
    await send('POST', '/api/media/from-url', { business_id: gateway.businessId, url: 'https://example.com/1.jpg' }, {}, key);
    expect(lastCall('importMedia')?.metadata.storageLimits).toBe('5000000000/10000');
    await send('GET', `${path}/${id}`, undefined, {}, key);
    expect(lastCall('getMedia')?.metadata.storageLimits).toBeFalsy();
  });

  it('return 429 with the quota and a time to retry when they are reached', async () => {
    const full = new DomainError('rate_limit_exceeded', 'The storage is full.', {
      retryAfterSeconds: 86_400,
      members: { quota: 'storage_bytes' },
    });
    gateway.services.failures.set('importMedia', full);
    const response = await send('POST', '/api/media/from-url', { business_id: gateway.businessId, url: 'https://example.com/1.jpg' });
    expect(response.headers.get('retry-after')).toBe('86400');
    expect(await expectProblem(response, { status: 429, code: 'rate_limit_exceeded' })).toMatchObject({ quota: 'storage_bytes' });
  });
});
