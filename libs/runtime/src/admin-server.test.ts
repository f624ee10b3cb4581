import { startAdminServer, type AdminServer } from './admin-server.ts';
import { createHealth } from './telemetry/health.ts';
import { counter } from './telemetry/metrics.ts';

let reason: string | undefined;
let late: string | undefined;
let server: AdminServer;
const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);

beforeAll(async () => {
  const health = createHealth();
  health.add('mongodb', () => reason);
  health.addWork('events', () => late);
  server = await startAdminServer({ service: 'content', address: '127.0.0.1:0', health });
  server.started();
});
beforeEach(() => (reason = late = undefined));
afterAll(() => server.stop());

test('/readyz returns 200, or 503 with the part that is not ready and why', async () => {
  const ready = await get('/readyz');
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', problems: {}, warnings: {} }]);
  reason = 'MongoDB does not respond';
  const unready = await get('/readyz?verbose');
  expect([unready.status, await unready.json()]).toEqual([
    503,
    { status: 'not_ready', problems: { mongodb: 'MongoDB does not respond' }, warnings: {} },
  ]);
});

test('/readyz is red until the process listens for what it serves', async () => {
  const starting = await startAdminServer({ service: 'content', address: '127.0.0.1:0', health: createHealth() });
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${starting.port}${path}`)).status;
  expect([await status('/readyz'), await status('/readyz/calls'), await status('/livez')]).toEqual([503, 503, 200]);
  starting.started();
  expect([await status('/readyz'), await status('/readyz/calls')]).toEqual([200, 200]);
  await starting.stop();
});

test('late background work makes /readyz return 503, but not /readyz/calls: without calls it would be no earlier', async () => {
  late = 'the oldest event waits';
  const [ready, calls] = [await get('/readyz'), await get('/readyz/calls')];
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'not_ready', problems: { events: late }, warnings: {} }]);
  expect([calls.status, await calls.json()]).toEqual([200, { status: 'ok', problems: {}, warnings: {} }]);
  reason = 'MongoDB does not respond';
  expect((await get('/readyz/calls')).status).toBe(503);
});

test('/livez returns 200 even if the process is not ready, because a restart would not help', async () => {
  reason = 'MongoDB does not respond';
  expect((await get('/livez')).status).toBe(200);
});

test('/metrics returns our metrics and those of the process, in the Prometheus text format, each with the service', async () => {
  counter('fanfare_test_total', 'For this test.', ['kind']).inc({ kind: 'a' });
  const response = await get('/metrics');
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const text = await response.text();
  expect(text).toContain('fanfare_test_total{kind="a",service="content"} 1');
  expect(text).toMatch(/^process_resident_memory_bytes\{service="content"\} \d+/m);
});

test('returns 404 for other paths', async () => {
  expect((await get('/')).status).toBe(404);
});

test('a port that is in use is an error', async () => {
  const again = startAdminServer({ service: 'content', address: `127.0.0.1:${server.port}`, health: createHealth() });
  await expect(again).rejects.toThrow('EADDRINUSE');
});

test('stop closes connections that callers keep open', async () => {
  const other = await startAdminServer({ service: 'content', address: '127.0.0.1:0', health: createHealth() });
  await fetch(`http://127.0.0.1:${other.port}/livez`, { headers: { connection: 'keep-alive' } });
  await other.stop();
  await expect(fetch(`http://127.0.0.1:${other.port}/livez`)).rejects.toThrow();
});
