import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '@fanfare/testing';
import { freePorts, startService, type ServiceProcess, waitReady } from '../src/index.ts';

let dir: string;
let running: ServiceProcess[];

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'fanfare-service-'));
  running = [];
});
afterEach(async () => {
  for (const service of running) {
    service.kill('SIGKILL');
    await service.exited;
  }
  await rm(dir, { recursive: true });
});

async function run(source: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const entry = path.join(dir, 'main.mjs');
  await writeFile(entry, source);
  const service = startService({ name: 'content', entry, env, logFile: path.join(dir, 'logs/content.log') });
  running.push(service);
  return service;
}

const logOf = (service: ServiceProcess) => readFile(service.logFile, 'utf8');
const logs = (service: ServiceProcess, text: string) => eventually(async () => (await logOf(service)).includes(text));
const serveReady = (status: string) => `
  import { createServer } from 'node:http';
  let requests = 0;
  createServer((request, response) => { requests += 1; response.statusCode = request.url === '/readyz' ? ${status} : 404; response.end('consumers: not joined'); })
    .listen(Number(process.env.ADMIN_PORT), '127.0.0.1');`;

test('a service is ready when /readyz says so, and not before', async () => {
  const [port] = await freePorts(1);
  const service = await run(serveReady('requests > 3 ? 200 : 503'), { ADMIN_PORT: String(port) });
  await waitReady(`http://127.0.0.1:${port}`, { timeoutMs: 20_000, process: service });
});

test('a service that does not become ready is an error with its last response', async () => {
  const [port] = await freePorts(1);
  const service = await run(serveReady('503'), { ADMIN_PORT: String(port) });
  await eventually(() => fetch(`http://127.0.0.1:${port}/readyz`));
  const ready = waitReady(`http://127.0.0.1:${port}`, { timeoutMs: 100, process: service });
  await expect(ready).rejects.toThrow('content is not ready (waited 0.1 s): 503 consumers: not joined');
});

test('a service that ends while it starts is reported at once, with the end of its log', async () => {
  const [port] = await freePorts(1);
  const service = await run(`console.error('cannot start: MONGODB_URL is not set'); process.exit(3);`);
  const ready = waitReady(`http://127.0.0.1:${port}`, { timeoutMs: 600_000, process: service });
  await expect(ready).rejects.toThrow(/^content ended while it started \(exit code 3\)[^]*MONGODB_URL is not set/);
});

test('the end of a service is reported, whatever its cause', async () => {
  const killed = await run('setInterval(() => {}, 1000)');
  killed.kill('SIGKILL');
  expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  killed.kill('SIGTERM'); // Stopping an ended process does nothing.
  const ended = await run('process.exit(7)');
  expect(await ended.exited).toEqual({ code: 7, signal: null });
});

test('stopping a service whose process has died, before its end is reported, does nothing', async () => {
  const service = await run('setInterval(() => {}, 1000)');
  const signal = jest.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
  });
  const stopping = service.stop(60_000);
  signal.mockRestore();
  service.kill('SIGKILL');
  await stopping;
});

test('stop lets a service finish, and kills one that does not', async () => {
  const polite = await run(
    `process.on('SIGTERM', () => { console.log('stopped gracefully'); process.exit(0); }); setInterval(() => {}, 1000); console.log('up')`,
  );
  await logs(polite, 'up');
  await polite.stop(600_000);
  expect(await polite.exited).toEqual({ code: 0, signal: null });
  expect(await logOf(polite)).toContain('stopped gracefully');

  const stubborn = await run(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('stubborn is up')`);
  await logs(stubborn, 'stubborn is up');
  await stubborn.stop(50);
  expect(await stubborn.exited).toEqual({ code: null, signal: 'SIGKILL' });
});

test("a start script runs with our own Node and the given options, and is the service's own process", async () => {
  await mkdir(path.join(dir, 'dist'));
  await writeFile(path.join(dir, 'dist/main.mjs'), `console.log([process.execPath, process.pid, ...process.execArgv].join(' '))`);
  await writeFile(path.join(dir, 'start.sh'), `#!/bin/sh\nexec node "$@" "$(dirname "$0")/dist/main.mjs"\n`, { mode: 0o755 });
  const service = startService({
    name: 'content',
    entry: path.join(dir, 'start.sh'),
    env: {},
    logFile: path.join(dir, 'log'),
    nodeArgs: ['--trace-uncaught'],
  });
  running.push(service);
  await service.exited;
  expect(await logOf(service)).toBe(`${process.execPath} ${service.pid} --trace-uncaught\n`);
});

test('an entry that is not built is named', () => {
  const start = () => startService({ name: 'content', entry: 'apps/no-such/start.sh', env: {}, logFile: path.join(dir, 'log') });
  expect(start).toThrow(/content is not built: .*apps\/no-such\/dist\/main\.mjs does not exist/);
});

test('a service notices that the process which started it was killed', async () => {
  const logFile = path.join(dir, 'service.log');
  const entry = path.join(dir, 'main.mjs');
  await writeFile(
    entry,
    `process.on('disconnect', () => { console.log('parent has ended'); process.exit(0); }); console.log('up ' + process.pid);`,
  );
  const source = pathToFileURL(path.join(import.meta.dirname, '../src/services/start-service.ts')).href;
  const launcher = `import { startService } from ${JSON.stringify(source)}; startService(${JSON.stringify({ name: 'content', entry, env: {}, logFile })});`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', launcher], { stdio: 'inherit' });
  const log = () => readFile(logFile, 'utf8').catch(() => '');
  await eventually(async () => (await log()).includes('up'));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await eventually(async () => (await log()).includes('parent has ended'));
});
