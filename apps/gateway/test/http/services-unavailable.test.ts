import { eventually } from '@fanfare/testing';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

const SERVICES = ['gateway', 'content', 'library', 'publisher', 'analytics', 'generation', 'webhooks'];

let gateway: RunningGateway;
/** One gateway for all tests of a group. */
const withGateway = (settings: Record<string, string> = {}) => {
  beforeAll(async () => {
    gateway = await startGateway({ ADMIN_ADDRESS: '127.0.0.1:0', ...settings });
  });
  afterAll(() => gateway.stop());
};

describe('with available services', () => {
  withGateway();

  it('health is ok while every service serves, and reports the oldest due post', async () => {
    gateway.services.oldestDueAt = new Date('2026-08-06T09:00:00Z');
    const response = await gateway.call('/api/health');
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status: 'ok',
        services: Object.fromEntries(SERVICES.map((name) => [name, { status: 'ok', problems: [] }])),
        platforms: {
          facebook: { status: 'ok', oldest_due_delivery_at: null },
          x: { status: 'ok', oldest_due_delivery_at: null },
        },
        oldest_due_post_at: '2026-08-06T09:00:00.000Z',
      },
    ]);
  });

  it('health names a platform that fails or hangs', async () => {
    gateway.services.accounts.platformsInTrouble.add('x');
    const health = await eventually(async () => {
      const body = (await (await gateway.call('/api/health')).json()) as { services: { publisher: { status: string } } };
      return body.services.publisher.status === 'ok' && body;
    });
    expect(health).toMatchObject({ status: 'degraded', platforms: { facebook: { status: 'ok' }, x: { status: 'degraded' } } });
    gateway.services.accounts.platformsInTrouble.delete('x');
  });

  it('health names what is late in a service, in terms of the API, and the service is not unavailable', async () => {
    gateway.services.late.add('late-posts').add('due-loop');
    const body = await (await gateway.call('/api/health')).json();
    expect(body).toMatchObject({
      status: 'degraded',
      services: { content: { status: 'degraded', problems: ['posts_late', 'work_stalled'] } },
    });
    gateway.services.late.clear();
    expect(await (await gateway.call('/api/health')).json()).toMatchObject({ status: 'ok' });
  });

  it('health says since when the oldest delivery to a platform is due, and names the platform once that is late', async () => {
    const x = async () => ((await (await gateway.call('/api/health')).json()) as { platforms: { x: unknown } }).platforms.x;
    gateway.services.accounts.oldestDueAt = new Date(Date.now() - 1_000);
    expect(await x()).toEqual({ status: 'ok', oldest_due_delivery_at: gateway.services.accounts.oldestDueAt.toISOString() });
    gateway.services.accounts.oldestDueAt = new Date('2026-08-06T09:00:00Z');
    expect(await x()).toEqual({ status: 'degraded', oldest_due_delivery_at: '2026-08-06T09:00:00.000Z' });
    gateway.services.accounts.oldestDueAt = undefined;
  });

  it('metrics contain templates, never ids', async () => {
    await gateway.call(`/api/businesses/${gateway.businessId}/posts/p1`);
    await gateway.call('/api/nowhere/17');
    const body = await (await fetch(`http://127.0.0.1:${gateway.server.adminPort}/metrics`)).text();
    const lines = body.split('\n').filter((line) => line.startsWith('fanfare_http_seconds_count'));
    expect(lines.join('\n')).toMatch(/route="\/api\/businesses\/\{business_id\}\/posts\/\{post_id\}",status="404"/);
    expect(lines.join('\n')).toMatch(/route="unknown",status="404"/);
    expect(lines.join('\n')).not.toMatch(new RegExp(`${gateway.businessId}|nowhere`));
  });
});

describe('with unavailable services', () => {
  // Nothing listens there. The port of a server that has stopped may be given to that of another test.
  const nowhere = '127.0.0.1:1';
  const addresses = ['CONTENT', 'LIBRARY', 'PUBLISHER', 'ANALYTICS', 'GENERATION', 'WEBHOOKS'].map((name) => [`${name}_ADDRESS`, nowhere]);
  withGateway({ ...Object.fromEntries(addresses), LIBRARY_HTTP_URL: `http://${nowhere}` });

  it('health is degraded, and the gateway stays ready', async () => {
    expect(await (await gateway.call('/api/health')).json()).toMatchObject({
      status: 'degraded',
      services: { gateway: { status: 'ok' }, content: { status: 'unavailable', problems: [] } },
      platforms: {},
      oldest_due_post_at: null,
    });
    expect((await fetch(`http://127.0.0.1:${gateway.server.adminPort}/readyz`)).status).toBe(200);
  });

  it('calls return 500 with Retry-After', async () => {
    for (const path of ['/api/businesses', '/media/known/s']) {
      const response = await gateway.call(path);
      const problem = await expectProblem(response, { status: 500, code: 'internal_error' });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(JSON.stringify(problem)).not.toMatch(/content|library|ECONN/i);
    }
  });
});
