import { newId } from '@fanfare/runtime';
import { AT } from '../values.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

let gateway: RunningGateway;
let foreignOrganizationId: string;
beforeAll(async () => {
  gateway = await startGateway();
  foreignOrganizationId = gateway.services.businesses.get(gateway.foreignBusinessId)?.organizationId ?? '';
});
afterAll(() => gateway.stop());

const calls = (method: string) => gateway.services.calls.filter((call) => call.method === method);
const lastCall = (method: string) => calls(method).at(-1);
const send = (method: string, path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  gateway.call(path, { method, key, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });
const summary = {
  created_at: AT.toISOString(),
  name: 'Bakery',
  description: '',
  industry: '',
  website: '',
  language: 'en',
  updated_at: AT.toISOString(),
};
const profile = {
  tone: 'Warm',
  writing_rules: ['No jokes'],
  palette: ['#aa3300'],
  fonts: ['Inter'],
  timezone: 'Europe/Berlin',
  default_creative_formats: ['meme', 'ai-image'],
  default_aspect_ratio: '4:5',
  include_stock: false,
};

describe('the list of businesses', () => {
  it('contains summaries, 100 per page, ordered by name', async () => {
    const response = await gateway.call('/api/businesses?name=100%25_%5E');
    expect(await response.json()).toEqual({ items: [], next: null });
    const organizationIds = [gateway.organizationId];
    expect(lastCall('listBusinesses')?.request).toEqual({ name: '100%_^', pageSize: 100, pageToken: '', organizationIds });
    const { items } = (await (await gateway.call('/api/businesses')).json()) as { items: object[] };
    expect(items).toEqual([{ id: gateway.businessId, ...summary }]);
  });

  it('contains the businesses of all organizations of a signed-in user', async () => {
    const token = await signedIn(gateway, { [gateway.organizationId]: 'viewer', [foreignOrganizationId]: 'owner' });
    const { items } = (await (await gateway.call('/api/businesses', { key: token })).json()) as { items: { id: string }[] };
    expect(items.map(({ id }) => id).sort()).toEqual([gateway.businessId, gateway.foreignBusinessId].sort());
  });

  it('contains its URL in versions with self links', async () => {
    const response = await gateway.call('/api/businesses?limit=5', { headers: { 'service-version': '2026-07-17' } });
    expect(await response.json()).toMatchObject({ self: 'https://api.example.com/api/businesses?limit=5' });
  });
});

describe('a business', () => {
  it('is returned with its whole profile, and an ETag', async () => {
    const response = await gateway.call(`/api/businesses/${gateway.businessId}`);
    expect(response.headers.get('etag')).toBe('"1.2026-04-08"');
    expect(await response.json()).toEqual({
      id: gateway.businessId,
      ...summary,
      deletion: null,
      tone: '',
      writing_rules: [],
      palette: [],
      fonts: [],
      logo_media_id: null,
      timezone: 'UTC',
      default_creative_formats: [],
      default_aspect_ratio: '',
      include_stock: false,
      link_tracking: null,
      misfire_policy: 'publish_late',
      misfire_limit_minutes: 1440,
    });
  });

  it('is created by an admin', async () => {
    const token = await signedIn(gateway, { [gateway.organizationId]: 'admin' });
    const response = await send('POST', '/api/businesses', token, { name: 'New', website: '', industry: null, ...profile });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as { id: string };
    expect(response.headers.get('location')).toBe(`https://api.example.com/api/businesses/${id}`);
    expect(lastCall('createBusiness')).toMatchObject({
      metadata: { organizationId: gateway.organizationId, actor: expect.stringMatching(/^user:/) as string },
      request: {
        businessId: id,
        operationId: expect.any(String) as string,
        name: 'New',
        language: '',
        profile: {
          tone: 'Warm',
          writingRules: { items: ['No jokes'] },
          palette: { items: ['#aa3300'] },
          fonts: { items: ['Inter'] },
          timezone: 'Europe/Berlin',
          defaultCreativeFormats: { items: ['meme', 'ai-image'] },
          defaultAspectRatio: '4:5',
          includeStock: false,
        },
      },
    });
    gateway.services.businesses.delete(id);
  });

  it('is created in the organization that a user of several ones names', async () => {
    const token = await signedIn(gateway, { [gateway.organizationId]: 'viewer', [foreignOrganizationId]: 'owner' });
    const unnamed = await send('POST', '/api/businesses', token, { name: 'New' });
    await expectProblem(unnamed, { status: 400, code: 'missing_field', param: 'organization_id' });
    const asViewer = await send('POST', '/api/businesses', token, { name: 'New', organization_id: gateway.organizationId });
    await expectProblem(asViewer, { status: 403, code: 'permission_denied' });
    const response = await send('POST', '/api/businesses', token, { name: 'New', organization_id: foreignOrganizationId });
    expect(response.status).toBe(201);
    expect(lastCall('createBusiness')?.metadata.organizationId).toBe(foreignOrganizationId);
    gateway.services.businesses.delete(((await response.json()) as { id: string }).id);
  });

  it('changes in the fields of the request; null restores the default', async () => {
    const token = await signedIn(gateway, { [gateway.organizationId]: 'owner' });
    const body = { name: 'Renamed', tone: null, logo_media_id: null, palette: [], include_stock: true };
    const response = await send('PATCH', `/api/businesses/${gateway.businessId}`, token, body, {
      'if-match': '"1.2026-04-08", "7.2026-04-08"',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe('"2.2026-04-08"');
    expect(await response.json()).toMatchObject({ id: gateway.businessId, name: 'Renamed' });
    expect(lastCall('updateBusiness')?.request).toEqual({
      operationId: expect.any(String) as string,
      businessId: gateway.businessId,
      expectedRevisions: [1, 7],
      name: 'Renamed',
      profile: { palette: { items: [] }, includeStock: true },
      resetFields: ['tone', 'logo_media_id'],
    });
  });

  it('has a misfire policy and a limit of lateness', async () => {
    const token = await signedIn(gateway, { [gateway.organizationId]: 'owner' });
    const path = `/api/businesses/${gateway.businessId}`;
    await send('PATCH', path, token, { misfire_policy: 'hold', misfire_limit_minutes: 90 });
    expect(lastCall('updateBusiness')?.request).toMatchObject({
      profile: { misfirePolicy: 'MISFIRE_POLICY_HOLD', misfireLimitMinutes: 90 },
      resetFields: [],
    });
    await send('PATCH', path, token, { misfire_policy: null, misfire_limit_minutes: null });
    expect(lastCall('updateBusiness')?.request).toMatchObject({ resetFields: ['misfire_policy', 'misfire_limit_minutes'] });
  });

  it('has link tracking with defaults; the response is a valid request', async () => {
    const token = await signedIn(gateway, { [gateway.organizationId]: 'owner' });
    const created = await send('POST', '/api/businesses', token, {
      name: 'New',
      link_tracking: { utm_campaign: '{post_id} of {business_id}' },
    });
    const { id, link_tracking: shown } = (await created.json()) as { id: string; link_tracking: object };
    expect(shown).toEqual({
      utm_source: '{platform}',
      utm_medium: 'social',
      utm_campaign: '{post_id} of {business_id}',
      utm_term: null,
      utm_content: null,
    });
    const tracking = { source: '{platform}', medium: 'social', campaign: '{post_id} of {business_id}' };
    expect(lastCall('createBusiness')?.request).toMatchObject({ profile: { linkTracking: tracking } });
    const path = `/api/businesses/${id}`;
    expect((await send('PATCH', path, token, { link_tracking: shown })).status).toBe(200);
    expect(lastCall('updateBusiness')?.request).toMatchObject({ profile: { linkTracking: tracking }, resetFields: [] });
    await send('PATCH', path, token, { link_tracking: { utm_source: null } });
    expect(lastCall('updateBusiness')?.request).toMatchObject({ profile: { linkTracking: { medium: 'social' } } });
    await send('PATCH', path, token, { link_tracking: null });
    expect(lastCall('updateBusiness')?.request).toMatchObject({ profile: {}, resetFields: ['link_tracking'] });
    gateway.services.businesses.delete(id);
  });

  it.each(['POST', 'PATCH'])('cannot be changed by an editor or a viewer, nor created by an API key: %s', async (method) => {
    const path = method === 'POST' ? '/api/businesses' : `/api/businesses/${gateway.businessId}`;
    const editor = await signedIn(gateway, { [gateway.organizationId]: 'editor' });
    const viewer = await signedIn(gateway, { [gateway.organizationId]: 'viewer' });
    const before = gateway.services.calls.length;
    for (const key of [gateway.apiKey, editor, viewer]) {
      const problem = await expectProblem(await send(method, path, key, { name: 'Mine' }), { status: 403, code: 'permission_denied' });
      expect(problem['detail']).toMatch(
        key === gateway.apiKey ? /signed-in user with the role admin.*API keys cannot/ : /requires the role admin/,
      );
    }
    expect(gateway.services.calls.slice(before).filter((call) => /create|update/.test(call.method))).toEqual([]);
  });

  it.each([
    ['name', ' '],
    ['name', null],
    ['name', 'See https://evil.example'],
    ['name', 'Two\nlines'],
    ['name', 'Turned \u202e'],
    ['website', 'example.com'],
    ['website', 'ftp://example.com'],
    ['language', 'english language'],
    ['palette.1', ['#fff8f0', 'red']],
    ['palette.0', ['#fff']],
    ['writing_rules.0', [' ']],
    ['default_creative_formats.0', ['poem']],
    ['default_creative_formats', ['meme', 'meme']],
    ['default_creative_formats', []],
    ['default_aspect_ratio', '4/5'],
    ['default_aspect_ratio', '0:1'],
    ['timezone', 1],
    ['misfire_policy', 'never'],
    ['misfire_limit_minutes', 0],
    ['misfire_limit_minutes', 10_081],
    ['misfire_limit_minutes', 1.5],
    ['link_tracking', 'on'],
    ['link_tracking.utm_campaign', { utm_campaign: '{campaign}' }],
    ['link_tracking.utm_content', { utm_content: '{post_id' }],
    ['link_tracking.utm_term', { utm_term: ' ' }],
    ['link_tracking.utm_term', { utm_term: 'a\nb' }],
    ['link_tracking.utm_medium', { utm_medium: 'a'.repeat(101) }],
    ['link_tracking.utm_id', { utm_id: '1' }],
    ['link_tracking', { utm_source: null, utm_medium: null }],
  ])('rejects an invalid %s: %j', async (param, value) => {
    const token = await signedIn(gateway, { [gateway.organizationId]: 'owner' });
    const body = { [param.split('.')[0] ?? '']: value };
    const rejected = await send('PATCH', `/api/businesses/${gateway.businessId}`, token, body);
    await expectProblem(rejected, { status: 422, code: 'validation_failed', param });
  });

  it('needs only a name', async () => {
    const token = await signedIn(gateway, { [gateway.organizationId]: 'owner' });
    await expectProblem(await send('POST', '/api/businesses', token, {}), { status: 400, code: 'missing_field', param: 'name' });
  });

  it('that does not exist is not found', async () => {
    await expectProblem(await gateway.call(`/api/businesses/${newId()}`), { status: 404, code: 'resource_not_found' });
  });
});
