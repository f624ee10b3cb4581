import { createHash } from 'node:crypto';
import { File, Folder } from '@fanfare/contracts/library/documents';
import { Entry } from '@fanfare/contracts/timeline';
import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { eventually, unzip } from '@fanfare/testing';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { routes } from '../../src/api/routes.ts';
import type { Context } from '../../src/context.ts';
import type { JsonRoute } from '../../src/http/route.ts';
import { aBusiness, aMedia, aPost } from '../values.ts';
import { anOrganization } from '../people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { startSecond } from '../two-gateways.ts';

let gateway: RunningGateway;
// One export is made at a time: those of another test, which may be between two attempts, would be waited for.
beforeEach(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
});
afterEach(() => gateway.stop());

const DAY_MS = 24 * 60 * 60_000;
type Json = Record<string, unknown>;
const json = async (response: Response) => (await response.json()) as Json;

async function made() {
  const people = await anOrganization(gateway);
  const { organizationId } = people;
  const businessId = newId();
  gateway.services.businesses.set(businessId, aBusiness({ id: businessId, name: 'Bakery', organizationId }));
  return { ...people, businessId, path: `/api/organizations/${organizationId}/export` };
}
type Made = Awaited<ReturnType<typeof made>>;

const completed = ({ owner, path }: Made, query = ''): Promise<Json> =>
  eventually(async () => {
    const response = await owner.call('GET', path + query);
    const body = await json(response);
    return body['status'] === 'completed' && response.status === 200 ? body : undefined;
  });
/** The files in the archive that the library got, as texts. */
async function archiveOf({ id }: Json): Promise<Map<string, string>> {
  const archive = gateway.services.archives.get(String(id));
  if (!archive) throw new Error('The library got no archive.');
  return unzip(archive);
}
const lines = (text = '') =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
const exportsOf = (organizationId: string) => gateway.context.db.collection('exports').find({ organization_id: organizationId }).toArray();

it('is begun by the first request, polled, and downloaded by a URL that expires', async () => {
  const one = await made();
  const { owner, path, organizationId } = one;
  const response = await owner.call('GET', path);
  expect(response.status).toBe(202);
  expect(response.headers.get('location')).toMatch(new RegExp(`${path}$`));
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  const begun = await json(response);
  expect(begun).toMatchObject({ organization_id: organizationId, status: 'pending', ended_at: null, url: null, size_bytes: null });

  const done = await completed(one);
  const archive = gateway.services.archives.get(String(done['id']));
  expect(done).toMatchObject({
    id: begun['id'],
    created_at: begun['created_at'],
    url: `http://127.0.0.1/media/${String(done['id'])}/signed?expires=1`,
    size_bytes: archive?.length,
    sha256: 'the hash of the archive',
  });
  // The library keeps it for a day, and signs a URL for an hour.
  expect(gateway.services.archiveRequests.get(String(done['id']))).toMatch(/\?kept_for_seconds=86400$/);
  expect(Date.parse(String(done['expires_at'])) - Date.parse(String(done['ended_at']))).toBeGreaterThan(DAY_MS - 60_000);
  const signing = gateway.services.calls.filter(({ method }) => method === 'signArchiveUrl').at(-1);
  expect(signing).toMatchObject({ request: { archiveId: done['id'], validForSeconds: 3600 }, metadata: { organizationId } });

  // Repeated, it is the same one, and recorded once.
  expect(await json(await owner.call('GET', path))).toMatchObject({ id: begun['id'], status: 'completed' });
  expect(await exportsOf(organizationId)).toHaveLength(1);
  const audited = await gateway.context.db.collection('audit_entries').find({ organization_id: organizationId }).toArray();
  expect(audited.filter(({ action }) => action === 'organization.exported')).toMatchObject([{ actor: `user:${owner.id}` }]);
});

it('is signed, and the keys to verify it need no credential', async () => {
  const one = await made();
  const files = await archiveOf(await completed(one));
  const keys = createLocalJWKSet((await (await fetch(`${gateway.url}/api/signing-keys`)).json()) as JSONWebKeySet);
  const manifest = files.get('manifest.json') ?? '';
  const { payload, protectedHeader } = await compactVerify(files.get('manifest.jws') ?? '', keys);
  expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'fanfare-export+jws', kid: 'test' });
  expect(Buffer.from(payload).toString()).toBe(manifest);
  const listed = (JSON.parse(manifest) as { files: { name: string; size_bytes: number; sha256: string }[] }).files;
  expect(listed.map(({ name }) => name)).toContain('members.jsonl');
  for (const { name, size_bytes, sha256 } of listed) {
    const bytes = Buffer.from(files.get(name) ?? '');
    expect({ name, size_bytes, sha256 }).toEqual({
      name,
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  }
});

it('is for owners who are signed in', async () => {
  const { manager, editor, viewer, path, organizationId } = await made();
  const other = await made();
  const denied = { status: 403, code: 'permission_denied' };
  for (const person of [manager, editor, viewer]) await expectProblem(await person.call('GET', path), denied);
  const { apiKey: key } = await gateway.admin.createApiKey({ organizationId, name: 'test' }, admin);
  await expectProblem(await gateway.call(path, { key }), denied);
  await expectProblem(await other.owner.call('GET', path), { status: 404, code: 'resource_not_found' });
  expect(await exportsOf(organizationId)).toEqual([]);
});

it('has what the API returns, page after page, without secrets', async () => {
  const one = await made();
  const { owner, businessId, organizationId } = one;
  const { services } = gateway;
  const secondId = newId();
  services.businesses.set(secondId, aBusiness({ id: secondId, name: 'Mill', organizationId }));
  // More than a page.
  for (let at = 0; at < 130; at++) {
    const id = newId();
    services.posts.set(id, aPost({ id, businessId, caption: `Bread ${at}` }));
  }
  const [mediaId, folderId] = [newId(), newId()];
  services.media.set(
    mediaId,
    aMedia({ id: mediaId, businessId, folderId, url: `https://media.example.com/media/${mediaId}/s`, sha256: 'abc' }),
  );
  services.documents.folders.set(
    folderId,
    Folder.fromPartial({ id: folderId, businessId, name: 'Recipes', createdAt: new Date(), updatedAt: new Date() }),
  );
  services.documents.files.set(
    newId(),
    File.fromPartial({
      id: newId(),
      businessId,
      name: 'rye.md',
      bodyText: 'Rye',
      parentId: folderId,
      createdAt: new Date(),
      updatedAt: new Date(),
    }),
  );
  const created = await json(await owner.call('POST', '/api/keys', { name: 'till' }));
  await owner.call('POST', '/api/invitations', { email: 'guest@example.com', role: 'editor' });
  await owner.call('POST', '/api/feedback', { message: 'Too much flour.' });
  const hook = { url: 'https://example.com/hook', events: ['*'] };
  expect((await owner.call('POST', '/api/webhooks', hook)).status).toBe(201);
  const other = await made();

  const files = await archiveOf(await completed(one));
  const manifest = JSON.parse(files.get('manifest.json') ?? '') as { files: { name: string; resources: number }[] };
  expect(manifest).toMatchObject({ organization_id: organizationId, service_version: expect.any(String) });
  for (const { name, resources } of manifest.files) expect([name, lines(files.get(name)).length]).toEqual([name, resources]);
  expect([...files.keys()].sort()).toEqual(
    ['README.txt', 'manifest.json', 'manifest.jws', ...manifest.files.map(({ name }) => name)].sort(),
  );

  const got = async (path: string, query = '') => (await json(await owner.call('GET', `${path}?limit=100${query}`)))['items'] as Json[];
  for (const [name, path] of [
    ['members', '/api/members'],
    ['invitations', '/api/invitations'],
    ['keys', '/api/keys'],
    ['feedback', '/api/feedback'],
    [`businesses/${businessId}/media`, `/api/businesses/${businessId}/media`],
    [`businesses/${businessId}/integrations`, `/api/businesses/${businessId}/integrations`],
  ] as const) {
    const items = await got(path, name.endsWith('/media') ? `&folder_id=${folderId}` : '');
    expect([name, files.has(`${name}.jsonl`) ? lines(files.get(`${name}.jsonl`)) : []]).toEqual([name, items]);
  }
  const { self: _self, ...business } = await json(await owner.call('GET', `/api/businesses/${businessId}`));
  expect(lines(files.get('businesses.jsonl')).find(({ id }) => id === businessId)).toEqual(business);
  const posts = lines(files.get(`businesses/${businessId}/posts.jsonl`));
  expect(new Set(posts.map(({ id }) => id)).size).toBe(130);
  expect(posts.slice(0, 100)).toEqual(await got(`/api/businesses/${businessId}/posts`));
  expect(lines(files.get('webhooks.jsonl'))).toMatchObject([{ url: hook.url }]);
  expect(lines(files.get('audit.jsonl')).map(({ action }) => action)).toContain('key.created');

  const whole = [...files.values()].join('\n');
  for (const secret of [created['secret'], 'whsec_', 'secret_hash', owner.tokens.access_token, owner.tokens.refresh_token]) {
    expect(whole).not.toContain(secret ?? 'secret');
  }
  for (const foreign of [other.organizationId, other.businessId, other.owner.email]) expect(whole).not.toContain(foreign);
});

/** Why the archive has nothing of an operation. Everything else that reads is in it. */
const NOT_EXPORTED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['get_topic', 'get_category', 'get_file', 'get_folder', 'get_post', 'get_queue', 'get_integration', 'get_design', 'get_media'],
      ...['get_job_status', 'get_event', 'get_webhook', 'get_key', 'get_feedback', 'get_member', 'get_invitation', 'list_organizations'],
    ].map((name) => [name, 'Its resource is in the file of the list.']),
  ),
  export_organization: 'It is the export.',
  get_signing_keys: 'They are of the installation.',
  get_test_clock: 'It is not of the organization, but of its time in test mode.',
  list_queue_posts: 'These posts are in the file of posts, with their place in the queue.',
  get_connection: 'It ends within minutes.',
  arrive_from_platform: 'It is for browsers.',
  get_data_deletion: 'It belongs to no organization.',
  list_choices: 'The platform has it.',
  get_integration_stats: 'The platform has it; what is stored is in the history.',
  list_integration_posts: 'The platform has it.',
  get_integration_post_stats: 'The platform has it.',
  get_post_stats: 'What is stored of it is in the file of statistics.',
  get_analytics_summary: 'It is computed of the statistics.',
  rank_posts: 'It is computed of the statistics.',
  get_best_times: 'It is computed of the statistics.',
  list_platforms: 'It is the same for everybody.',
  list_webhook_deliveries: 'These are copies of the events.',
  get_webhook_delivery: 'It is a copy of an event.',
  get_plan: 'The limits are no data of the organization.',
  get_usage: 'It counts what is in the other files.',
  get_health: 'It belongs to no organization.',
  list_sessions: 'It belongs to a person.',
  get_me: 'It belongs to a person.',
  list_oidc_providers: 'It is the same for everybody.',
};

it('has every resource that the API reads', async () => {
  const one = await made();
  const read = new Set<string>();
  const context = gateway.context;
  const watched = routes.filter((route): route is JsonRoute => !route.raw && route.method === 'get');
  const { calls } = gateway.services;
  const begun = calls.length;
  const postId = newId();
  gateway.services.posts.set(postId, aPost({ id: postId, businessId: one.businessId }));
  gateway.services.timelines.content.push({
    postId,
    entry: Entry.fromPartial({ id: `${postId}:1`, at: new Date(0), kind: 'created', details: { status: 'NEW' } }),
  });
  const originals = watched.map((route) => route.handler);
  for (const route of watched) {
    const { handler } = route;
    Object.assign(route, {
      handler: (given: Context, exchange: Parameters<typeof handler>[1]) => {
        // The exchange of a request has a response.
        if (!('res' in exchange.request)) read.add(route.operationId);
        return handler(given, exchange);
      },
    });
  }
  try {
    await completed(one);
  } finally {
    watched.forEach((route, at) => Object.assign(route, { handler: originals[at] }));
  }
  expect(calls.slice(begun).map(({ method }) => method)).toContain('getPostStats');
  expect(context.config.exportKeptMs).toBe(DAY_MS);
  // Templates and accounts, of which the fake services have none here, are read one by one.
  for (const name of ['get_template', 'get_integration_history']) read.add(name);
  const unread = watched.map(({ operationId }) => operationId).filter((name) => !read.has(name));
  expect(unread.sort()).toEqual(
    Object.keys(NOT_EXPORTED)
      .filter((name) => watched.some(({ operationId }) => operationId === name))
      .sort(),
  );
});

it('is begun again after it has expired, for newer_than, and after its archive was erased; three times a day', async () => {
  const one = await made();
  const { owner, path, organizationId } = one;
  const { db } = gateway.context;
  const rows = db.collection<{ _id: string }>('exports');
  const first = await completed(one);
  await expectProblem(await owner.call('GET', `${path}?newer_than=2100-01-01`), {
    status: 400,
    code: 'invalid_request',
    param: 'newer_than',
  });
  // Two requests at once begin one.
  const newer = `?newer_than=${String(first['created_at'])}`;
  const both = await Promise.all([1, 2].map(async () => json(await owner.call('GET', path + newer))));
  expect(new Set(both.map(({ id }) => id)).size).toBe(1);
  expect(both[0]?.['id']).not.toBe(first['id']);
  const second = await completed(one, newer);
  expect(second['id']).toBe(both[0]?.['id']);
  // A business was erased: the library has no archive any more.
  gateway.services.archives.delete(String(second['id']));
  await rows.updateOne({ _id: String(first['id']) }, { $set: { expires_at: new Date(0) } });
  const third = await completed(one);
  expect([first['id'], second['id']]).not.toContain(third['id']);
  expect(await exportsOf(organizationId)).toHaveLength(2);

  await rows.updateMany({ organization_id: organizationId }, { $set: { expires_at: new Date(0) } });
  const fourth = await completed(one);
  await rows.updateOne({ _id: String(fourth['id']) }, { $set: { expires_at: new Date(0) } });
  const problem = await expectProblem(await owner.call('GET', path), { status: 429, code: 'rate_limit_exceeded' });
  expect(problem).toMatchObject({ window: 'export' });
  // A day after the first one.
  await rows.updateOne({ _id: String(first['id']) }, { $set: { created_at: new Date(Date.now() - DAY_MS) } });
  await completed(one);
});

it('begins again when a service or the library fails, and shows a failure for an hour', async () => {
  const one = await made();
  const { owner, path, organizationId } = one;
  gateway.services.failures.set('listTopics', new DomainError('internal_error', 'Unavailable.'));
  const { id } = await json(await owner.call('GET', path));
  expect(await completed(one)).toMatchObject({ id });
  expect((await exportsOf(organizationId))[0]?.['attempts']).toBe(2);

  const rows = gateway.context.db.collection<{ _id: string }>('exports');
  const failed = { state: 'failed', ended_at: new Date() };
  await rows.updateOne({ _id: String(id) }, { $set: failed, $unset: { expires_at: true } });
  const shown = await owner.call('GET', path);
  expect([shown.status, await json(shown)]).toEqual([200, expect.objectContaining({ id, status: 'failed', url: null })]);
  await rows.updateOne({ _id: String(id) }, { $set: { ended_at: new Date(Date.now() - 61 * 60_000) } });
  expect(await json(await owner.call('GET', path))).toMatchObject({ status: 'pending' });
});

it('is completed by another process when its process dies, also after the archive was stored', async () => {
  const one = await made();
  const { owner, path } = one;
  let respond = (): void => undefined;
  gateway.services.holds.set('archive', new Promise<void>((resolve) => (respond = resolve)));
  const { id } = await json(await owner.call('GET', path));
  const rows = gateway.context.db.collection<{ _id: string; run_at?: Date }>('exports');
  // Stored, but the response never comes: the lease ends, and another process completes it without making it again.
  await eventually(() => gateway.services.archives.has(String(id)));
  const second = await startSecond(gateway);
  const listed = () => gateway.services.calls.filter(({ method }) => method === 'listTopics').length;
  const before = listed();
  await rows.updateOne({ _id: String(id) }, { $set: { run_at: new Date(0) } });
  expect(await completed(one)).toMatchObject({ id });
  expect(listed()).toBe(before);
  gateway.services.holds.delete('archive');
  respond();
  await second.stop();
});

it('is made while the organization is being deleted, and waits while a business is erased', async () => {
  const one = await made();
  const { owner, path, organizationId, businessId } = one;
  await owner.call('DELETE', `/api/organizations/${organizationId}?confirm_name=Mill`);
  await completed(one);
  await owner.call('POST', `/api/organizations/${organizationId}/restore`);

  gateway.services.erasures.set('publisher', [{ done: false, waitingFor: '1 delivery' }]);
  await owner.call('DELETE', `/api/businesses/${businessId}`);
  await gateway.admin.expediteDeletion({ id: businessId, reason: 'A test' }, admin);
  await eventually(async () => {
    const { deletions } = await gateway.admin.listDeletions({ organizationId, pageSize: 10 }, admin);
    return deletions.some(({ state }) => state === 'DELETION_STATE_ERASED');
  });
  // The archive had data of the business.
  expect(await exportsOf(organizationId)).toEqual([]);
  const after = await json(await owner.call('GET', path));
  expect(after).toMatchObject({ status: 'pending' });
});
