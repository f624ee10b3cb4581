import { newId } from '@fanfare/runtime';
import type { z } from 'zod';
import { hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { routes } from '../../src/api/routes.ts';
import type { JsonRoute, Route } from '../../src/http/route.ts';
import { badBodies } from '../bad-values.ts';
import { admin, expectProblem as expectWhole, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

let gateway: RunningGateway;
let owner: string;
let revokedKey: string;
let keyWithoutAccess: string;
beforeAll(async () => {
  gateway = await startGateway();
  owner = await signedIn(gateway, { [gateway.organizationId]: 'owner' });
  revokedKey = await gateway.newKey();
  const revoked = { $set: { revoked_at: new Date() } };
  await gateway.context.db.collection('api_keys').updateOne({ secret_hash: hashApiKey(revokedKey) }, revoked);
  const plan = {
    id: 'none',
    apiAccess: false,
    requestsPerMinute: 1e6,
    requestsPerDay: 1e6,
    requestsPerWeek: 1e6,
    generatedPostsPerMonth: 0,
  };
  await gateway.admin.putPlan({ plan }, admin);
  keyWithoutAccess = await gateway.newKey('none');
});
afterAll(() => gateway.stop());

/** A response to HEAD has no body: only its status shows the problem. */
const expectProblem: typeof expectWhole = async (response, expected) => {
  if (response.headers.get('content-length') !== '0' && (await response.clone().text()) !== '') return expectWhole(response, expected);
  expect(response.url).toMatch(/\/api\/media\/uploads\//);
  expect(response.status).toBe(expected.status);
  return {};
};
const named = <R extends Route>(chosen: readonly R[]) =>
  chosen.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);
const ofBusiness = named(routes.filter(({ path }) => path.includes('{business_id}')));
const withJson = named(routes.filter((route): route is JsonRoute => !route.raw && route.body !== undefined));
const fieldsOf = ({ body }: JsonRoute) => Object.keys((body as z.ZodObject).shape);
/** All routes share the code that reads credentials, JSON and pages. All cases are tested on one route, and one case on each of the others. */
const protectedRoutes = named(routes.filter(({ scope }) => scope !== 'none'));
const [firstProtected] = protectedRoutes;
const [firstWithJson] = withJson;
const withFields = withJson.filter(([, route]) => fieldsOf(route).length > 0);
const paths = [...new Set(routes.map(({ path }) => path))];

const pathOf = ({ path }: Pick<Route, 'path'>, businessId = gateway.businessId) =>
  path
    .replace('{business_id}', businessId)
    .replace('{organization_id}', gateway.organizationId)
    .replace(/\{\w+\}/g, newId);
/** A permitted credential: not every operation is for keys. */
const credentialFor = ({ access }: Route) => (access.keys ? gateway.apiKey : owner);
const send = (route: Route, options: { path?: string; key?: string | null; body?: string; type?: string } = {}) =>
  gateway.call(options.path ?? pathOf(route), {
    method: route.method.toUpperCase(),
    key: 'key' in options ? (options.key ?? null) : credentialFor(route),
    ...(options.body === undefined ? {} : { body: options.body }),
    headers: options.type === undefined ? {} : { 'content-type': options.type },
  });
const json = (route: Route, body: unknown) => send(route, { body: JSON.stringify(body), type: 'application/json' });

const some = <T>(all: boolean, cases: readonly T[]): readonly T[] => (all ? cases : cases.slice(0, 1));

describe.each(protectedRoutes)('%s', (_name, route) => {
  it('requires a credential', async () => {
    for (const key of some(route === firstProtected?.[1], [null, 'nonsense', `fk_test_${'A'.repeat(43)}`, `${gateway.apiKey}A`])) {
      const response = await send(route, { key, path: pathOf(route, 'no-uuid') });
      await expectProblem(response, { status: 401, code: 'authentication_required' });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('rejects a revoked key', async () => {
    await expectProblem(await send(route, { key: revokedKey }), { status: 401, code: 'authentication_required' });
  });

  it('rejects a plan without API access before it reads the path', async () => {
    const response = await send(route, { key: keyWithoutAccess, path: pathOf(route, 'no-uuid') });
    await expectProblem(response, { status: 403, code: 'permission_denied' });
  });
});

describe.each(named(routes.filter((route) => !(route.raw && route.anyQuery) && route.method !== 'head')))('%s', (_name, route) => {
  it('names unknown query parameters', async () => {
    const problem = await expectProblem(await send(route, { path: `${pathOf(route)}?colour=red&__proto__=1` }), {
      status: 422,
      code: 'validation_failed',
      param: 'colour',
    });
    expect((problem['errors'] as { param: string }[]).map(({ param }) => param)).toEqual(['colour', '__proto__']);
    expect(problem['detail']).toBe('Unknown query parameters: "colour", "__proto__".');
  });
});

describe.each(ofBusiness)('%s', (_name, route) => {
  // With a body that would be rejected too: the business is checked first.
  const wrongBody = (route.raw ? route.openapi.requestBody : route.body) ? { body: '{', type: 'text/plain' } : {};

  it('rejects an id that is not a UUID', async () => {
    const response = await send(route, { path: pathOf(route, '123'), ...wrongBody });
    await expectProblem(response, { status: 400, code: 'invalid_value', param: 'business_id' });
  });

  it('returns 404 for a business that does not exist', async () => {
    await expectProblem(await send(route, { path: pathOf(route, newId()), ...wrongBody }), { status: 404, code: 'resource_not_found' });
  });

  it('rejects the business of another organization', async () => {
    const response = await send(route, { path: pathOf(route, gateway.foreignBusinessId), ...wrongBody });
    await expectProblem(response, { status: 403, code: 'permission_denied', param: 'business_id' });
  });
});

describe.each(withJson)('%s', (_name, route) => {
  const isFirst = route === firstWithJson?.[1];

  it.each(some(isFirst, ['{"caption":', 'caption=x', '', '{"caption":"\\ud800x"', '\u0000']))('rejects invalid JSON: %j', async (body) => {
    await expectProblem(await send(route, { body, type: 'application/json' }), { status: 400, code: 'invalid_request' });
  });

  it.each(some(isFirst, ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/json; charset=latin1']))(
    'rejects a body of type %s',
    async (type) => {
      await expectProblem(await send(route, { body: '{}', type }), { status: 415, code: 'unsupported_media_type' });
    },
  );

  it.each(some(isFirst, ['null', '5', '"x"', '[]', '[{}]']))('rejects a body that is not an object: %s', async (body) => {
    await expectProblem(await send(route, { body, type: 'application/json' }), { status: 422, code: 'validation_failed' });
  });

  it('names every unknown field', async () => {
    const body = '{"publish_to":["x"],"colour":"red","__proto__":{"polluted":true},"constructor":1}';
    const problem = await expectProblem(await send(route, { body, type: 'application/json' }), {
      status: 422,
      code: 'validation_failed',
      param: expect.any(String) as string,
    });
    const params = (problem['errors'] as { param: string; code: string }[])
      .filter(({ code }) => code === 'validation_failed')
      .map(({ param }) => param);
    expect(params.sort()).toEqual(['__proto__', 'colour', 'constructor', 'publish_to']);
  });
});

/** One route for each limit. */
const byLimit = [...new Map(withJson.map(([name, route]) => [route.bodyBytes ?? 1024 * 1024, [name, route] as const]))];

it.each(byLimit)('rejects a body above %i bytes', async (limit, [, route]) => {
  const body = JSON.stringify({ [fieldsOf(route)[0] ?? '']: 'x'.repeat(limit) });
  await expectProblem(await send(route, { body, type: 'application/json' }), { status: 413, code: 'payload_too_large' });
});

it.each([
  ['with endless nesting', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['with endless fields', `{${Array.from({ length: 50_000 }, (_, at) => `"${at}":0`).join()}}`],
])('rejects a body %s with a short error', async (_what, body) => {
  const [[, route] = []] = withJson;
  if (!route) throw new Error('No route reads JSON.');
  const response = await send(route, { body, type: 'application/json' });
  expect(response.headers.get('content-length')).toMatch(/^\d{1,3}$/);
  await expectProblem(response, { status: 422, code: 'validation_failed' });
});

it('rejects invalid UTF-8', async () => {
  const [[, route] = []] = withJson;
  if (!route) throw new Error('No route reads JSON.');
  const response = await gateway.call(pathOf(route), {
    method: route.method.toUpperCase(),
    key: credentialFor(route),
    body: Buffer.from([0x22, 0xff, 0x22]),
    headers: { 'content-type': 'application/json' },
  });
  await expectProblem(response, { status: 400, code: 'invalid_request' });
});

describe.each(withFields)('%s', (_name, route) => {
  const fields = fieldsOf(route);
  const badOnes = badBodies(route.body as z.ZodType);

  it.each(fields)('names %s if it has the wrong type, is out of range, too long or otherwise invalid', async (field) => {
    const bad = badOnes.filter(({ param }) => param === field || param.startsWith(`${field}.`));
    expect(bad).not.toEqual([]);
    for (const { param, why, body } of bad) {
      const response = await json(route, body);
      const problem = (await response.json()) as { errors?: { param: string }[] };
      const named = problem.errors?.map((error) => error.param);
      expect({ why, body, status: response.status, named }).toMatchObject({
        status: 422,
        named: expect.arrayContaining([param]) as string[],
      });
    }
  });

  it('names all invalid and missing fields at once', async () => {
    const bodies = fields.map((field) => badOnes.find(({ param }) => param === field)?.body);
    const problem = await expectProblem(await json(route, Object.assign({}, ...bodies)), {
      status: 422,
      code: 'validation_failed',
      param: expect.any(String) as string,
    });
    expect([...new Set((problem['errors'] as { param: string }[]).map(({ param }) => param.split('.')[0]))].sort()).toEqual(
      [...fields].sort(),
    );
  });
});

describe.each(paths)('%s', (path) => {
  it('lists its methods in the response to another method', async () => {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
    const others = ['DELETE', 'PATCH', 'PUT', 'GET', 'POST', 'OPTIONS'].filter((name) => !methods.includes(name));
    for (const method of some(path === paths[0], others)) {
      const response = await gateway.call(pathOf({ path }), { method });
      await expectProblem(response, { status: 405, code: 'method_not_allowed' });
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(
        methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).sort(),
      );
    }
  });
});

const paged = named(routes.filter(({ query }) => 'limit' in query));
const [firstPaged] = paged;

describe.each(paged)('%s', (_name, route) => {
  const isFirst = route === firstPaged?.[1];

  it.each(some(isFirst, ['0', '101', '-1', '1.5', '1e1', 'x', '', '%201', '5&limit=6']))('rejects limit=%s', async (limit) => {
    const response = await send(route, { path: `${pathOf(route)}?limit=${limit}` });
    await expectProblem(response, { status: 400, code: 'invalid_value', param: 'limit' });
  });

  // A ranking has a length, but no pages.
  if (!('cursor' in route.query)) return;
  it.each(some(isFirst, ['', 'a&cursor=b', 'x'.repeat(2001)]))('rejects cursor=%s', async (cursor) => {
    const response = await send(route, { path: `${pathOf(route)}?cursor=${cursor}` });
    await expectProblem(response, { status: 400, code: 'invalid_request', param: 'cursor' });
  });
});
