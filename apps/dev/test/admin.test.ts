import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { freePorts } from '@fanfare/infra';
import { workspaceRoot } from '../src/workspace.ts';

/** Nothing listens at these addresses. */
let unused: Record<string, string>;
beforeAll(async () => {
  const [gateway, content, publisher, webhooks] = (await freePorts(4)).map((port) => `127.0.0.1:${port}`);
  unused = {
    GATEWAY_ADMIN_ADDRESS: gateway ?? '',
    CONTENT_ADDRESS: content ?? '',
    PUBLISHER_ADDRESS: publisher ?? '',
    WEBHOOKS_ADDRESS: webhooks ?? '',
  };
});

const admin = (...args: string[]) => adminWith(unused, ...args);

function adminWith(settings: Record<string, string>, ...args: string[]) {
  const env = { ...process.env, ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['apps/dev/src/admin.ts', ...args], {
    cwd: workspaceRoot,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, error: stderr === '' ? undefined : (JSON.parse(stderr) as { error: { code: string; detail: string } }).error };
}

test.each([
  [[], 'A command is missing.'],
  [['organisations', 'list'], "Unknown command 'organisations' (Did you mean organizations?)."],
  [['organizations', 'suspend', '--organization', 'x'], "Required option '--reason <text>' not specified."],
  [['plans', 'list', '--all'], "Unknown option '--all'."],
  [['keys', 'create', '--organization', 'x', '--name', 'y', '--expires-at', 'noon'], 'It must be a time such as 2030-01-31T09:00:00Z.'],
  [['deliveries', 'show'], 'Give the id of a delivery, or --post with the id of a post.'],
  [['events', 'tail', '--organization', 'x', '--count', '-1'], 'It must be a whole number from 0.'],
  [['deliveries', 'list', '--older-than', 'yesterday'], 'It must be a duration such as 30m, 2h or 7d.'],
  [['deletions', 'finish', '--id', 'x'], "Required option '--reason <text>' not specified."],
  [['deliveries', 'retry', 'x'], "Required option '--reason <text>' not specified."],
  [['dead-letters', 'list', '--service', 'contents'], 'Allowed choices are gateway, content, library, publisher, analytics, webhooks'],
  [['dead-letters', 'replay', '--reason', 'x'], 'Give the id of a dead letter, a filter (--service, --type, --organization), or --all.'],
  [['deliveries', 'show', 'x', '--post', 'y'], 'Give the id of a delivery, or --post with the id of a post.'],
])('invalid arguments are reported as JSON, with exit code 2: %j', (args, detail) => {
  expect(admin(...args)).toEqual({
    status: 2,
    stdout: '',
    error: { code: 'usage', detail: expect.stringContaining(detail) },
  });
});

test('--help is not a failure', () => {
  expect(admin('deliveries', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('show'), error: undefined });
});

test('names the services that are not running, their addresses, and how to start them', () => {
  const { status, stdout, error } = admin('organizations', 'list');
  expect({ status, stdout, code: error?.code }).toEqual({ status: 1, stdout: '', code: 'not_running' });
  for (const address of Object.values(unused)) expect(error?.detail).toContain(address);
  expect(error?.detail).toContain('npm start');
});

test('names an invalid address', () => {
  const { status, error } = adminWith({ ...unused, GATEWAY_ADMIN_ADDRESS: 'nonsense' }, 'organizations', 'list');
  expect({ status, detail: error?.detail }).toEqual({
    status: 1,
    detail: 'The configuration is invalid. GATEWAY_ADMIN_ADDRESS: must be host:port',
  });
});

test('names only the service that is not running', async () => {
  const servers = await Promise.all(
    ['GATEWAY_ADMIN_ADDRESS', 'CONTENT_ADDRESS', 'WEBHOOKS_ADDRESS'].map((name) => listenAt(unused[name] ?? '')),
  );
  try {
    const { error } = admin('deliveries', 'show', 'x');
    expect(error).toEqual({
      code: 'not_running',
      detail: `The publisher service did not respond as expected. The publisher service (${unused['PUBLISHER_ADDRESS']}) is not running. Start Fanfare with npm start, or set PUBLISHER_ADDRESS to host:port.`,
    });
  } finally {
    for (const server of servers) server.close();
  }
});

async function listenAt(address: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(Number(address.split(':')[1]), '127.0.0.1', resolve));
  return server;
}
