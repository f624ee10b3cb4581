import { newId } from '@fanfare/runtime';
import { expectProblem, admin, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';
import { startSecond, type SecondGateway } from '../two-gateways.ts';

const LIMITS = ['RateLimit', 'X-RateLimit'].flatMap((prefix) => ['Limit', 'Remaining', 'Reset'].map((name) => `${prefix}-${name}`));

let gateway: RunningGateway;
let second: SecondGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
  second = await startSecond(gateway);
});
afterAll(async () => {
  await second.stop();
  await gateway.stop();
});

const plan = (id: string, more: object = {}) => ({
  id,
  apiAccess: true,
  requestsPerMinute: 1_000,
  requestsPerDay: 1_000,
  requestsPerWeek: 1_000,
  generatedPostsPerMonth: 0,
  ...more,
});
const limitsOf = ({ headers }: Response) => LIMITS.map((name) => headers.get(name));
const described = (response: Response) => {
  const [limit, remaining, reset, ...aliases] = limitsOf(response);
  expect(aliases).toEqual([limit, remaining, reset]);
  return { limit: Number(limit), remaining: Number(remaining), resetAt: new Date(Number(reset) * 1000) };
};

/** A key of an organization with these limits in its plan. */
async function keyWith(more: object): Promise<string> {
  const id = newId();
  await gateway.admin.putPlan({ plan: plan(id, more) }, admin);
  return gateway.newKey(id);
}

describe('the limits of a key', () => {
  it('are in the headers of every response and apply across all gateways', async () => {
    const key = await keyWith({ requestsPerWeek: 5 });
    const remaining: number[] = [];
    for (const by of [gateway, second, gateway, second, gateway]) {
      const response = await by.call('/api/businesses', { key });
      expect(response.status).toBe(200);
      const { limit, remaining: left, resetAt } = described(response);
      expect([limit, resetAt.getUTCDay(), resetAt.toISOString().slice(10)]).toEqual([5, 1, 'T00:00:00.000Z']);
      remaining.push(left);
    }
    expect(remaining).toEqual([4, 3, 2, 1, 0]);
    for (const by of [second, gateway]) {
      const response = await by.call('/api/businesses', { key });
      const problem = await expectProblem(response, { status: 429, code: 'rate_limit_exceeded' });
      expect(problem).toMatchObject({ window: 'week', detail: expect.stringContaining('week') });
      const { limit, remaining, resetAt } = described(response);
      expect([limit, remaining]).toEqual([5, 0]);
      const waitSeconds = (resetAt.getTime() - Date.now()) / 1000;
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(waitSeconds - 5);
      expect(Number(response.headers.get('retry-after'))).toBeLessThan(waitSeconds + 5);
    }
  });

  it('describe the window with the fewest remaining requests', async () => {
    const key = await keyWith({ requestsPerMinute: 900, requestsPerDay: 10 });
    expect(described(await gateway.call('/api/businesses', { key }))).toMatchObject({ limit: 10, remaining: 9 });
  });

  it('count errors too, and are checked before the plan, the path and the body', async () => {
    const key = await keyWith({ requestsPerWeek: 3, apiAccess: false });
    await expectProblem(await gateway.call('/api/businesses', { key }), { status: 403, code: 'permission_denied' });
    await expectProblem(await gateway.call('/api/businesses/nonsense/posts', { key }), { status: 403, code: 'permission_denied' });
    const unknown = await gateway.call('/api/nowhere', { key });
    expect([unknown.status, described(unknown).remaining]).toEqual([404, 0]);
    const response = await gateway.call('/api/businesses/nonsense/posts', { key, method: 'POST', body: '{' });
    await expectProblem(response, { status: 429, code: 'rate_limit_exceeded' });
  });

  it('can be 0', async () => {
    const response = await gateway.call('/api/businesses', { key: await keyWith({ requestsPerDay: 0 }) });
    expect(await expectProblem(response, { status: 429, code: 'rate_limit_exceeded' })).toMatchObject({ window: 'day' });
    expect(described(response)).toMatchObject({ limit: 0, remaining: 0 });
  });
});

describe('the limits of an organization', () => {
  const another = async (key: string) => {
    const init = { key, method: 'POST', body: '{"name":"More"}', headers: { 'content-type': 'application/json' } };
    return ((await (await gateway.call('/api/keys', init)).json()) as { secret: string }).secret;
  };
  const status = async (by: Pick<RunningGateway, 'call'>, key: string) => (await by.call('/api/businesses', { key })).status;

  it('apply to all of its keys together, across all gateways, however many it creates', async () => {
    const first = await keyWith({ requestsPerWeek: 5, organizationRequestsPerWeek: 8 });
    const second_ = await another(first);
    for (let at = 0; at < 4; at++) expect(await status(gateway, first)).toBe(200);
    const own = await expectProblem(await second.call('/api/businesses', { key: first }), { status: 429, code: 'rate_limit_exceeded' });
    expect(own).toMatchObject({
      window: 'week',
      limit_of: 'key',
      detail: expect.stringMatching(/^You have reached the limit of 5 requests per week\./),
    });

    const third = await another(second_);
    expect(await status(second, second_)).toBe(200);
    const last = await gateway.call('/api/businesses', { key: third });
    expect([last.status, described(last)]).toMatchObject([200, { limit: 8, remaining: 0 }]);
    for (const key of [second_, third]) {
      const rejected = await expectProblem(await second.call('/api/businesses', { key }), { status: 429, code: 'rate_limit_exceeded' });
      expect(rejected).toMatchObject({
        window: 'week',
        limit_of: 'organization',
        detail: expect.stringContaining('reached the limit of 8 requests per week for all of its API keys together.'),
      });
    }
  });

  it('are five times those of a key if the plan does not set them', async () => {
    const first = await keyWith({ requestsPerDay: 2 });
    const usage = (await (await gateway.call('/api/usage', { key: first })).json()) as { organization_requests: object[] };
    expect(usage.organization_requests).toMatchObject([{ limit: 5_000 }, { limit: 10, used: 1 }, { limit: 5_000 }]);
  });

  it('do not count requests of users', async () => {
    const key = await keyWith({ organizationRequestsPerWeek: 3, requestsPerWeek: 3 });
    const [{ id }] = ((await (await gateway.call('/api/organizations', { key })).json()) as { items: [{ id: string }] }).items;
    const user = await signedIn(gateway, { [id]: 'owner' });
    for (let at = 0; at < 5; at++) expect(await status(gateway, user)).toBe(200);
    expect(await status(gateway, key)).toBe(200);
  });
});

describe('without a known credential', () => {
  const from = (address: string, init: Parameters<RunningGateway['call']>[1] = { key: null }) =>
    gateway.call('/api/businesses', { ...init, headers: { 'x-forwarded-for': address } });

  it('requests count for their address', async () => {
    const first = await from('203.0.113.1');
    await expectProblem(first, { status: 401, code: 'authentication_required' });
    expect(described(await from('203.0.113.1', { key: 'fk_test_invalid' })).remaining).toBe(described(first).remaining - 1);
    expect(described(await from('203.0.113.2')).remaining).toBe(described(first).remaining);
    const network = described(await from('2001:db8::1'));
    expect(described(await from('2001:db8::2')).remaining).toBe(network.remaining - 1);
  });

  it('a proxy is trusted only for the address that it saw', async () => {
    const seen = described(await from('203.0.113.9'));
    expect(described(await from('198.51.100.1, 203.0.113.9')).remaining).toBe(seen.remaining - 1);
  });
});

describe('plans', () => {
  it('for anonymous callers exist from the start', async () => {
    const other = await startGateway();
    const fresh = await other.context.db.collection('plans').findOne({ _id: 'default' as never });
    expect(fresh).toMatchObject({ user_requests_per_minute: 600, user_requests_per_day: 20_000, user_requests_per_week: 80_000 });
    await other.stop();
  });
});
