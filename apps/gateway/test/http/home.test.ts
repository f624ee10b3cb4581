import { BASE_URL, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const open = (path: string, accept: string) => gateway.call(path, { key: null, redirect: 'manual', headers: { accept } });

test('the root redirects a browser to the documentation', async () => {
  const response = await open('/', HTML);
  expect([response.status, response.headers.get('location')]).toEqual([302, 'docs']);
  expect((await open('/docs', HTML)).status).toBe(200);
});

test.each(['application/json', '*/*'])('the root returns URLs to a program that accepts %s, and each URL exists', async (accept) => {
  const response = await open('/', accept);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(response.headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
  const index = (await response.json()) as Record<string, string>;
  expect(index).toMatchObject({ name: 'Fanfare API', current_version: '2026-08-06', default_version: '2026-04-08' });
  for (const name of ['docs_url', 'openapi_url', 'errors_url']) {
    const url = index[name] ?? '';
    expect(url.startsWith(`${BASE_URL}/`)).toBe(true);
    expect((await open(url.slice(BASE_URL.length), HTML)).status).toBe(200);
  }
});

test('an unknown path returns a page to a person, a problem to a program', async () => {
  for (const path of ['/nowhere', '/errors/nonsense']) {
    const page = await open(path, HTML);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('Page not found · Fanfare');
    expect((await open(path, '*/*')).headers.get('content-type')).toBe('application/problem+json');
  }
  expect((await open('/api/nowhere', HTML)).headers.get('content-type')).toBe('application/problem+json');
});
