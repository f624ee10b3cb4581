import { CreateBusinessRequest, ListBusinessesRequest, UpdateBusinessRequest, type Business } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { callAs } from '@fanfare/testing';
import { completeBusinesses, type BusinessDocument } from '../../src/businesses/store/businesses.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

type Partially<T extends { fromPartial(object: never): unknown }> = Parameters<T['fromPartial']>[0];

let content: TestContent;
let call: Call;

beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

const documents = () => content.db.collection<BusinessDocument>('businesses');
const aRequest = (more: Partially<typeof CreateBusinessRequest> = {}) =>
  CreateBusinessRequest.fromPartial({ operationId: newId(), businessId: newId(), name: 'Demo Café', ...more });
const existing = (business: Business | undefined) => business ?? Promise.reject(new Error('No business.'));
const create = async (more: Partially<typeof CreateBusinessRequest> = {}, by = call) =>
  existing((await content.client.createBusiness(aRequest(more), by)).business);
const read = async (businessId: string) => existing((await content.client.getBusiness({ businessId }, call)).business);
const update = async (businessId: string, more: Partially<typeof UpdateBusinessRequest>, by = call) =>
  existing(
    (await content.client.updateBusiness(UpdateBusinessRequest.fromPartial({ operationId: newId(), businessId, ...more }), by)).business,
  );
const list = (more: Partially<typeof ListBusinessesRequest> = {}, by = call) =>
  content.client.listBusinesses(ListBusinessesRequest.fromPartial({ pageSize: 100, ...more }), by);

const profile = {
  tone: 'Warm, $short',
  writingRules: { items: ['No exclamation marks', '$tone'] },
  palette: { items: ['#aa3300', '#ffffff'] },
  fonts: { items: ['Inter'] },
  timezone: 'Europe/Berlin',
  defaultCreativeFormats: { items: ['meme', 'ai-image'] },
  defaultAspectRatio: '4:5',
  includeStock: false,
  linkTracking: { source: '{platform}', campaign: '$spring' },
};
const profileAsRead = {
  tone: 'Warm, $short',
  writingRules: ['No exclamation marks', '$tone'],
  palette: ['#aa3300', '#ffffff'],
  fonts: ['Inter'],
  timezone: 'Europe/Berlin',
  defaultCreativeFormats: ['meme', 'ai-image'],
  defaultAspectRatio: '4:5',
  includeStock: false,
  linkTracking: { source: '{platform}', campaign: '$spring' },
};
const defaults = {
  description: '',
  industry: '',
  website: '',
  language: 'en',
  tone: '',
  writingRules: [],
  palette: [],
  fonts: [],
  logoMediaId: undefined,
  timezone: 'UTC',
  defaultCreativeFormats: ['design'],
  defaultAspectRatio: '1:1',
  includeStock: true,
  linkTracking: undefined,
};

describe('creating', () => {
  test('twenty concurrent creates of the same business create it once', async () => {
    const request = aRequest();
    const responses = await Promise.all(Array.from({ length: 20 }, () => content.client.createBusiness(request, call)));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await content.client.getBusiness({ businessId: request.businessId }, call)).toEqual(responses[0]);
    expect(responses[0]?.business).toMatchObject({ name: 'Demo Café', organizationId: call.call.metadata.organizationId, revision: 1 });
  });

  test('stores the whole profile', async () => {
    const business = await create({ description: '$d', industry: 'Bakery', website: 'https://example.com', language: 'de', profile });
    expect(business).toMatchObject({ description: '$d', industry: 'Bakery', website: 'https://example.com', language: 'de' });
    expect(business).toMatchObject(profileAsRead);
    expect(await read(business.id)).toEqual(business);
  });

  test('sets defaults for missing fields', async () => {
    expect(await create()).toMatchObject(defaults);
  });

  test.each([
    ['no name', { name: ' ' }, { code: 'missing_field', param: 'name' }],
    ['a logo, since it has no media yet', { profile: { logoMediaId: newId() } }, { code: 'invalid_value', param: 'logo_media_id' }],
    ['an unknown time zone', { profile: { timezone: 'Europe/Atlantis' } }, { code: 'invalid_value', param: 'timezone' }],
    ['an offset for a time zone', { profile: { timezone: '+01:00' } }, { code: 'invalid_value', param: 'timezone' }],
    ['an empty time zone', { profile: { timezone: '' } }, { code: 'invalid_value', param: 'timezone' }],
  ])('is rejected with %s', async (_what, more, rejection) => {
    await expect(create(more)).rejects.toMatchObject(rejection);
    expect((await list()).businesses).toEqual([]);
  });
});

test('a business that does not exist is not found', async () => {
  await expect(read(newId())).rejects.toMatchObject({ code: 'resource_not_found' });
  await expect(update(newId(), { name: 'New' })).rejects.toMatchObject({ code: 'resource_not_found' });
});

describe('updating', () => {
  test('changes the fields of the request and leaves the rest', async () => {
    const before = await create({ industry: 'Bakery', profile });
    const after = await update(before.id, { name: '$name', profile: { palette: { items: [] }, includeStock: true } });
    expect(after).toEqual({ ...before, name: '$name', palette: [], includeStock: true, revision: 2, updatedAt: after.updatedAt });
    expect(after.updatedAt?.getTime()).toBeGreaterThanOrEqual(before.updatedAt?.getTime() ?? Infinity);
    expect(await read(before.id)).toEqual(after);
  });

  test('resets fields to their defaults', async () => {
    const { id } = await create({ description: 'd', industry: 'i', website: 'https://example.com', language: 'de', profile });
    const resetFields = [
      ...['description', 'industry', 'website', 'language', 'tone', 'writing_rules', 'palette', 'fonts', 'logo_media_id', 'timezone'],
      ...['default_creative_formats', 'default_aspect_ratio', 'include_stock', 'link_tracking'],
    ];
    expect(await update(id, { resetFields })).toMatchObject(defaults);
    await expect(update(id, { resetFields: ['name'] })).rejects.toMatchObject({ code: 'invalid_value', param: 'name' });
    await expect(update(id, { resetFields: ['constructor'] })).rejects.toMatchObject({ code: 'invalid_value' });
  });

  test('requires at least one field', async () => {
    const { id } = await create();
    await expect(update(id, {})).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(update(id, { profile: {} })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await read(id)).toMatchObject({ revision: 1 });
  });

  test('rejects an invalid time zone', async () => {
    const { id } = await create();
    await expect(update(id, { profile: { timezone: 'CEST' } })).rejects.toMatchObject({ code: 'invalid_value', param: 'timezone' });
    expect(await update(id, { profile: { timezone: 'America/Argentina/Ushuaia' } })).toMatchObject({
      timezone: 'America/Argentina/Ushuaia',
    });
  });

  test('accepts only an image of the same business as a logo', async () => {
    const { id } = await create();
    const image = content.library.add(id);
    expect(await update(id, { profile: { logoMediaId: image } })).toMatchObject({ logoMediaId: image });
    for (const logoMediaId of [content.library.add(id, { type: 'MEDIA_TYPE_VIDEO' }), content.library.add(newId()), newId()]) {
      await expect(update(id, { profile: { logoMediaId } })).rejects.toMatchObject({ code: 'invalid_value', param: 'logo_media_id' });
    }
    expect(await read(id)).toMatchObject({ logoMediaId: image, revision: 2 });
    expect((await update(id, { resetFields: ['logo_media_id'] })).logoMediaId).toBeUndefined();
  });

  test('is not allowed for another organization', async () => {
    const { id } = await create();
    await expect(update(id, { name: 'Mine' }, callAs({ organizationId: newId(), businessId: id }))).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    expect(await read(id)).toMatchObject({ name: 'Demo Café' });
  });

  test('happens only at the expected revision', async () => {
    const { id } = await create();
    await expect(update(id, { name: 'B', expectedRevisions: [2, 3] })).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await update(id, { name: 'B', expectedRevisions: [7, 1] })).toMatchObject({ name: 'B', revision: 2 });
    await expect(update(id, { name: 'C', expectedRevisions: [1] })).rejects.toMatchObject({ code: 'precondition_failed' });
  });

  test('succeeds once if twenty calls expect the same revision', async () => {
    const { id } = await create();
    const tries = Array.from({ length: 20 }, (_, index) => update(id, { name: `Name ${index}`, expectedRevisions: [1] }));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await read(id)).toMatchObject({ revision: 2 });
  });

  test('changes nothing when it is repeated, even after a later change', async () => {
    const { id } = await create();
    const more = { operationId: newId(), name: 'B', expectedRevisions: [1] };
    const first = await update(id, more);
    expect(await update(id, more)).toEqual(first);
    await update(id, { name: 'C' });
    expect(await update(id, more)).toMatchObject({ name: 'C', revision: 3 });
  });
});

describe('a business that an earlier version stored', () => {
  const old = async () => {
    const id = newId();
    const { organizationId } = call.call.metadata;
    const times = { created_at: new Date(0), updated_at: new Date(0) };
    const fields = { name: 'Old', description: 'd', industry: '', website: '', language: 'fr' };
    await documents().insertOne({ _id: id, organization_id: organizationId, ...times, ...fields });
    return id;
  };

  test('is read with the defaults, at revision 1', async () => {
    const id = await old();
    expect(await read(id)).toMatchObject({ ...defaults, name: 'Old', description: 'd', language: 'fr', revision: 1 });
    expect((await list()).businesses).toMatchObject([{ id, timezone: 'UTC' }]);
    await expect(update(id, { name: 'New', expectedRevisions: [2] })).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await update(id, { name: 'New', expectedRevisions: [1] })).toMatchObject({ name: 'New', timezone: 'UTC', revision: 2 });
  });

  test('is completed by the migration, which can run twice and changes no other', async () => {
    const id = await old();
    const before = await read(id);
    const other = await create({ profile });
    await completeBusinesses(content.db);
    await completeBusinesses(content.db);
    expect(await documents().findOne({ _id: id })).toMatchObject({ revision: 1, timezone: 'UTC', logo_media_id: null, language: 'fr' });
    expect(await read(id)).toEqual(before);
    expect(await read(other.id)).toEqual(other);
  });
});

describe('the list', () => {
  const names = async (name: string) => (await list({ name })).businesses.map((one) => one.name);

  test('is ordered newest first, in pages, and contains only the organization’s own businesses', async () => {
    const given = ['Alpha', 'Beta', 'Gamma'];
    for (const name of given) await create({ name });
    await create({}, aBusiness());
    const first = await list({ pageSize: 2 });
    const second = await list({ pageSize: 2, pageToken: first.nextPageToken });
    expect([...first.businesses, ...second.businesses].map(({ name }) => name)).toEqual([...given].reverse());
    expect(second.nextPageToken).toBe('');
    expect(await list({}, aBusiness())).toEqual({ businesses: [], nextPageToken: '' });
  });

  test('contains the businesses of several organizations in one order, each once', async () => {
    const other = aBusiness();
    const third = aBusiness();
    const given: string[] = [];
    for (let index = 0; index < 9; index++) given.unshift((await create({}, [call, other, third][index % 3])).id);
    await create({}, aBusiness());
    // Several created in the same millisecond, across organizations and page ends.
    await documents().updateMany(
      { _id: { $in: given.slice(2, 7) } },
      { $set: { created_at: (await read(given[2] ?? '')).createdAt ?? new Date() } },
    );

    const organizationIds = [call, other, third, call].map((one) => one.call.metadata.organizationId);
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ organizationIds, pageSize: 2, pageToken });
      seen.push(...page.businesses.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(given);
  });

  test('finds a part of the name in any case, and treats special characters literally', async () => {
    const given = [
      'Alpha (one)',
      'alpha.two',
      '100% [Bäcker]',
      'under_score',
      'back\\slash',
      'a|b^c$d*e+f?{g}',
      'STRASSE',
      'straße',
      'Αθήνα',
    ];
    for (const name of given) await create({ name });
    expect(await names('ALPHA')).toEqual(['alpha.two', 'Alpha (one)']);
    expect(await names('.*')).toEqual([]);
    for (const name of given) expect(await names(name)).toEqual([name]);
    for (const [part, name] of [
      ['%', '100% [Bäcker]'],
      ['_', 'under_score'],
      ['BÄCKER]', '100% [Bäcker]'],
      ['k\\S', 'back\\slash'],
      ['ΑΘΉΝΑ', 'Αθήνα'],
      ['B^C$D*E+F?{', 'a|b^c$d*e+f?{g}'],
    ] as const) {
      expect(await names(part)).toEqual([name]);
    }
    await expect(list({ name: 'a\0b' })).rejects.toMatchObject({ code: 'invalid_value', param: 'name' });
  });

  test('rejects a page token of another filter or other organizations', async () => {
    for (const name of ['Alpha', 'Beta', 'Gamma']) await create({ name });
    const { nextPageToken: pageToken } = await list({ pageSize: 1 });
    const { organizationId } = call.call.metadata;
    const rejection = { code: 'invalid_request', param: 'cursor' };
    await expect(list({ pageToken, name: 'a' })).rejects.toMatchObject(rejection);
    await expect(list({ pageToken }, aBusiness())).rejects.toMatchObject(rejection);
    await expect(list({ pageToken, organizationIds: [organizationId, newId()] })).rejects.toMatchObject(rejection);
    await expect(list({ pageToken: `${pageToken}A` })).rejects.toMatchObject(rejection);
    expect((await list({ pageToken, organizationIds: [organizationId] })).businesses.map(({ name }) => name)).toEqual(['Beta', 'Alpha']);
  });

  test('ends a page early if it would be larger than 2 MiB', async () => {
    const { organizationId } = call.call.metadata;
    const big = { name: 'Big', description: '\u0001'.repeat(20_000), updated_at: new Date(), organization_id: organizationId };
    await documents().insertMany(Array.from({ length: 30 }, (_, index) => ({ ...big, _id: newId(), created_at: new Date(index) })));
    const first = await list();
    expect(first.businesses.length).toBeLessThan(30);
    expect(Buffer.byteLength(JSON.stringify(first.businesses))).toBeLessThan(2 << 20);
    const second = await list({ pageToken: first.nextPageToken });
    expect(first.businesses.length + second.businesses.length).toBe(30);
  });
});
