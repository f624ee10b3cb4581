// Two organizations on one platform: calls every operation of the API with every id of one and the key of the other.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { jpeg, upload } from '../src/an-image.ts';
import type { ApiResponse, Api } from '../src/api.ts';
import { eventually } from '@fanfare/testing';
import { borrowPlatform, type Platform } from '../src/platform.ts';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly params: readonly string[];
  readonly namesOrganization: 'query' | 'body' | false;
}

const operations = readOperations();

/** Part of everything that the victim owns: a response that contains it leaks something. */
const MARK = 'Geheimrezept';

/** Bodies with a valid shape, so that only the owner can be wrong. */
const BODIES: Readonly<Record<string, unknown>> = {
  create_post: { caption: 'x' },
  update_post: { caption: 'x' },
  schedule_post: { scheduled_publish_time: '2099-01-01T00:00:00Z' },
  review_post: { decision: 'approve' },
  validate_post: { caption: 'x' },
  create_queue: { name: 'x', slots: [{ days: ['mon'], time: '09:00' }] },
  update_queue: { name: 'x' },
  create_topic: { title: 'x' },
  update_topic: { title: 'x' },
  create_category: { name: 'x' },
  update_category: { name: 'x' },
  create_folder: { name: 'x' },
  update_folder: { name: 'x' },
  update_media: { alt_text: 'x' },
  create_file: { name: 'x' },
  update_file: { name: 'x' },
  update_business: { name: 'x' },
  create_business: { name: 'x' },
  create_key: { name: 'x' },
  create_feedback: { message: 'x' },
  generate_posts: { content: 'x' },
  create_design: { template_id: 'quote-card', pages: [{ texts: { quote: 'x' } }] },
  create_template: {
    name: 'x',
    format: 'design',
    page: { background: 'light', layers: [{ kind: 'logo', id: 'logo' }], boxes: { default: { logo: [5, 5, 20, 20] } } },
  },
  suggest_captions: { caption: 'x' },
  update_member: { role: 'viewer' },
  update_organization: { name: 'x' },
  connect_integration: { platform: 'x' },
  choose_accounts: { account_ids: ['x'] },
  update_integration: { settings: {} },
  update_webhook: { description: 'x' },
  accept_invitation: { invitation_token: 'x' },
  create_invitation: { email: 'x@example.com', role: 'viewer' },
  create_webhook: { url: 'https://example.com/', events: ['*'] },
  advance_test_clock: { advance_by: 'P1D' },
  recover_webhook: { since: '2026-01-01T00:00:00Z' },
};

let platform: Platform;
/** Path parameter → id, of the victim. */
let ids: Record<string, string>;
/** With all credentials of an organization. */
let intruders: readonly Api[];
/** Signed in, in the victim's organization. */
let owner: Api;
/** What the owner saw last. */
let seen: unknown[];

beforeAll(async () => {
  platform = await borrowPlatform();
  const person = await platform.signIn(platform.tenant, 'owner');
  owner = person.api;
  intruders = [platform.foreign.api, (await platform.signIn(platform.foreign, 'owner')).api];
  ids = { ...(await furnish(platform)), user_id: person.userId };
  seen = await everything();
});
afterAll(() => platform.stop());

/** They need headers of their own: resumable-uploads.test.ts calls them as another organization. */
const RESUMABLE: ReadonlySet<string> = new Set(['get_upload', 'send_upload_part', 'cancel_upload']);

const aboutSomething = operations.filter(({ name, params }) => params.length > 0 && !RESUMABLE.has(name));

describe.each(aboutSomething.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  it('neither leaks nor changes anything of another organization', async () => {
    for (const target of pathsTo(operation)) {
      for (const intruder of intruders) expectRejected(target, await intruder(operation.method, target, bodyOf(operation)));
    }
    const after = await everything();
    const before = seen;
    seen = after;
    expect(after).toEqual(before);
  });
});

describe.each(operations.filter(({ namesOrganization }) => namesOrganization).map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    it('rejects another organization', async () => {
      const organization = platform.tenant.organization_id;
      const inQuery = operation.namesOrganization === 'query';
      const target = Object.entries(ids).reduce((path, [param, id]) => path.replace(`{${param}}`, id), operation.path);
      const body = inQuery ? undefined : { ...(BODIES[name] as object), organization_id: organization };
      for (const intruder of intruders) {
        const response = await intruder(operation.method, target + (inQuery ? `?organization_id=${organization}` : ''), body);
        expectRejected(target, response);
        expect(response.status).toBe(403);
      }
    });
  },
);

it("lists only the caller's own resources", async () => {
  for (const { path: target, method, params } of operations) {
    if (method !== 'GET' || params.length > 0) continue;
    for (const intruder of intruders) expect(JSON.stringify((await intruder(method, target)).body ?? null)).not.toContain(MARK);
  }
});

it.each([
  ['media_ids', (own: string) => ({ method: 'POST', path: `${own}/posts`, body: { media_ids: [ids['media_id']] }, param: 'media_ids.0' })],
  [
    'cover_media_id',
    (own: string) => ({
      method: 'POST',
      path: `${own}/posts`,
      body: { caption: 'x', cover_media_id: ids['media_id'] },
      param: 'cover_media_id',
    }),
  ],
  [
    'restrict_publish_to_integration_ids',
    (own: string) => ({
      method: 'POST',
      path: `${own}/posts`,
      body: { caption: 'x', restrict_publish_to_integration_ids: [ids['integration_id']] },
      param: 'restrict_publish_to_integration_ids.0',
    }),
  ],
  [
    'queue_id',
    (own: string) => ({ method: 'POST', path: `${own}/posts`, body: { caption: 'x', queue_id: ids['queue_id'] }, param: 'queue_id' }),
  ],
  [
    'category_id',
    (own: string) => ({
      method: 'POST',
      path: `${own}/topics`,
      body: { title: 'x', category_id: ids['category_id'] },
      param: 'category_id',
    }),
  ],
  [
    'design_id',
    (own: string) => ({ method: 'POST', path: `${own}/posts`, body: { caption: 'x', design_id: ids['design_id'] }, param: 'design_id' }),
  ],
  [
    'template_id',
    (own: string) => ({
      method: 'POST',
      path: `${own}/designs`,
      body: { template_id: ids['template_id'], pages: [{ texts: {} }] },
      param: 'template_id',
    }),
  ],
  ['post_id', () => ({ method: 'POST', path: '/api/feedback', body: { message: 'x', post_id: ids['post_id'] }, param: 'post_id' })],
  [
    'parent_id',
    (own: string) => ({ method: 'POST', path: `${own}/files`, body: { name: 'x', parent_id: ids['folder_id'] }, param: 'parent_id' }),
  ],
])('does not accept %s of another organization', async (_field, build) => {
  const { method, path: target, body, param } = build(`/api/businesses/${platform.foreign.business_id}`);
  for (const intruder of intruders) {
    expect(await intruder(method, target, body)).toMatchObject({ status: 400, body: { code: 'invalid_value', param } });
  }
});

/** With the victim's business, and with the intruder's own business and the victim's ids. */
function pathsTo({ path: template, params }: Operation): string[] {
  const missing = params.filter((param) => !(param in ids));
  if (missing.length > 0) throw new Error(`This test knows no ${missing.join(', ')} of the victim's: furnish() has to make one.`);
  const withIds = (given: Record<string, string>) =>
    params.reduce((path, param) => path.replace(`{${param}}`, given[param] ?? ''), template);
  const around = { ...ids, business_id: platform.foreign.business_id };
  return params.some((param) => param !== 'business_id') ? [...new Set([withIds(ids), withIds(around)])] : [withIds(ids)];
}

const bodyOf = ({ name, method }: Operation) => (method === 'GET' || method === 'DELETE' ? undefined : (BODIES[name] ?? {}));

function expectRejected(target: string, { status, body }: ApiResponse): void {
  const expected = status === 403 ? 'permission_denied' : 'resource_not_found';
  expect({ target, status, code: body?.['code'] }).toEqual({ target, status: status === 403 ? 403 : 404, code: expected });
  expect(JSON.stringify(body)).not.toContain(MARK);
}

/** One of each kind. */
async function furnish(platform: Platform): Promise<Record<string, string>> {
  const { api, tenant, integrations } = platform;
  const own = `/api/businesses/${tenant.business_id}`;
  const make = (target: string, body: unknown) => idOf(api('POST', target, body));
  const media = await upload(platform, await jpeg(), `${MARK}.jpg`);
  const category = await make(`${own}/categories`, { name: MARK });
  const folder = await make(`${own}/folders`, { name: MARK });
  const page = { background: 'primary', layers: [{ kind: 'logo', id: 'logo' }], boxes: { default: { logo: [5, 5, 20, 20] } } };
  return {
    organization_id: tenant.organization_id,
    business_id: tenant.business_id,
    category_id: category,
    queue_id: await make(`${own}/queues`, { name: MARK, slots: [{ days: ['mon'], time: '09:00' }] }),
    topic_id: await make(`${own}/topics`, { title: MARK, category_id: category }),
    folder_id: folder,
    file_id: await make(`${own}/files`, { name: `${MARK}.md`, content: MARK, parent_id: folder }),
    media_id: media.id,
    post_id: await make(`${own}/posts`, { caption: MARK, status: 'SCHEDULED', scheduled_publish_time: '2099-01-01T00:00:00Z' }),
    template_id: await make(`${own}/templates`, { name: MARK, format: 'design', page }),
    design_id: await make(`${own}/designs`, { name: MARK, template_id: 'quote-card', pages: [{ texts: { quote: MARK } }] }),
    job_id: await aCompletedJob(api, own),
    key_id: await make('/api/keys', { name: MARK }),
    feedback_id: await make('/api/feedback', { message: MARK }),
    invitation_id: await idOf(owner('POST', '/api/invitations', { email: 'guest@example.com', role: 'viewer' })),
    session_id: (await owner<{ items: { id: string }[] }>('GET', '/api/auth/sessions')).body.items[0]?.id ?? '',
    integration_id: Object.values(integrations)[0] ?? '',
    connection_id: await make(`${own}/integrations/connect`, { platform: 'x' }),
    option: 'board_id',
    external_post_id: '1234567890',
    event_id: await anEvent(api),
    ...(await aWebhook(api, `${platform.sandbox.url}/_webhooks/tenants`)),
  };
}

/** An endpoint with a delivery that has ended, so that nothing changes any more. */
async function aWebhook(api: Api, url: string): Promise<{ webhook_id: string; delivery_id: string }> {
  const webhook_id = await idOf(api('POST', '/api/webhooks', { url, events: ['webhook.disabled'], description: MARK }));
  const { body } = await api('POST', `/api/webhooks/${webhook_id}/test`, {});
  const delivery_id = String(body['id']);
  await eventually(async () => (await api('GET', `/api/webhooks/${webhook_id}/deliveries/${delivery_id}`)).body['status'] === 'succeeded');
  return { webhook_id, delivery_id };
}

async function anEvent(api: Api): Promise<string> {
  const { body } = await api<{ items: { id: string }[] }>('GET', '/api/events?wait=30&limit=1');
  return body.items[0]?.id ?? '';
}

async function aCompletedJob(api: Api, own: string): Promise<string> {
  const { body } = await api('POST', `${own}/posts/generate`, { content: `${MARK} is baked every morning.` });
  const id = String(body['job_id']);
  await eventually(async () => (await api('GET', `${own}/jobs/${id}`)).body['status'] === 'completed');
  return id;
}

async function idOf(responding: Promise<ApiResponse>): Promise<string> {
  const { status, body } = await responding;
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return String(body['id']);
}

/** All that the victim sees of its own resources. */
async function everything(): Promise<unknown[]> {
  const readable = operations.filter(
    ({ name, method, params }) => method === 'GET' && !LIVE.has(name) && params.every((param) => param in ids),
  );
  return Promise.all(
    readable.map(async ({ method, path: template, params }) => {
      const target = params.reduce((path, param) => path.replace(`{${param}}`, ids[param] ?? ''), template);
      return [target, withoutChanging((await owner(method, target)).body)];
    }),
  );
}

/** The last use of keys and sessions is written with a delay, and the time of a clock continues: they change without this request. */
const withoutChanging = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null, (name, value: unknown) => (CHANGING.has(name) ? undefined : value)));

const CHANGING: ReadonlySet<string> = new Set(['last_used_at', 'now']);

/** These change with every request, over time, or shortly after other resources, or begin something; problems have an id of their own. */
const LIVE: ReadonlySet<string> = new Set([
  ...['get_usage', 'get_health', 'list_audit_entries', 'list_choices', 'list_events', 'export_organization'],
  ...['get_integration_stats', 'get_integration_history', 'list_integration_posts', 'get_integration_post_stats', 'get_analytics_summary'],
]);

function readOperations(): Operation[] {
  const file = path.join(import.meta.dirname, '../../gateway/openapi.json');
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as {
    components: { schemas: Record<string, unknown> };
    paths: Record<
      string,
      Record<string, { operationId: string; security?: object[]; parameters?: { name: string; in: string }[]; requestBody?: unknown }>
    >;
  };
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (operation.security?.length === 0) return []; // Without a credential there is no caller to reject.
      const params = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      const inQuery = operation.parameters?.some((parameter) => parameter.in === 'query' && parameter.name === 'organization_id');
      const body = JSON.stringify(operation.requestBody ?? null);
      const schemas = [...body.matchAll(/schemas\/(\w+)"/g)].map(([, schema]) => JSON.stringify(components.schemas[schema ?? '']));
      const inBody = [body, ...schemas].some((text) => text.includes('"organization_id"'));
      return [
        {
          name: operation.operationId,
          method: method.toUpperCase(),
          path: template,
          params,
          namesOrganization: inQuery ? ('query' as const) : inBody ? ('body' as const) : (false as const),
        },
      ];
    }),
  );
}
