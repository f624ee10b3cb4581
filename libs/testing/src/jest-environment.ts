import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
// eslint-disable-next-line no-restricted-imports -- only tests delete topics, so @fanfare/events has no function for it
import { Kafka, logLevel } from 'kafkajs';
import type { FileResources } from './infrastructure.ts';
import { emptyDatabases } from './store/databases.ts';

/** Of this worker. */
const leftDatabases: FileResources['leftDatabases'] = new Map();

/**
 * Test files run in the worker's own realm, as Node runs a program (`jest-runtime.ts`). Each file leaves the realm unchanged. Its topics are deleted:
 * hundreds of them would slow down the broker for later files. The databases of its services are emptied and left to later files, or dropped.
 */
export default class NativeEnvironment implements JestEnvironment<unknown> {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker: ModuleMocker;
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #before = { console: globalThis.console, exit: process.exit, env: process.env, variables: { ...process.env } };
  readonly #resources: FileResources = { topicPrefixes: [], logFolders: [], databases: [], leftDatabases };

  constructor({ projectConfig }: JestEnvironmentConfig, _context: EnvironmentContext) {
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  // There is only one realm.
  getVmContext = () => null;
  exportConditions = () => ['node', 'node-addons'];

  async setup(): Promise<void> {
    Object.assign(globalThis, { fanfareResources: this.#resources });
  }

  /** A test that fails in a thousand runs cannot be repeated: what its processes said is shown at once. */
  async handleTestEvent({ name }: { readonly name: string }): Promise<void> {
    if (name !== 'test_fn_failure' && name !== 'hook_failure') return;
    for (const folder of this.#resources.logFolders) process.stderr.write(await lastLines(folder));
  }

  async teardown(): Promise<void> {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    const { console, exit, env, variables } = this.#before;
    globalThis.console = console;
    process.exit = exit;
    process.env = env;
    for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
    Object.assign(env, variables);
    const { topicPrefixes, databases } = this.#resources;
    await Promise.all([topicPrefixes.length > 0 && deleteTopics(topicPrefixes), databases.length > 0 && leave(databases)]);
  }
}

const LINES_SHOWN = 25;

/** The end of each log in the folder. */
async function lastLines(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.log'));
  const logs = await Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(path.join(folder, name), 'utf8')).trimEnd().split('\n');
      return [`--- ${name}`, ...lines.slice(-LINES_SHOWN)].join('\n');
    }),
  );
  return `${logs.join('\n')}\n`;
}

async function leave(databases: FileResources['databases']): Promise<void> {
  for (const { service, name } of await emptyDatabases(process.env['MONGODB_URL'] ?? '', databases))
    leftDatabases.set(service, [...(leftDatabases.get(service) ?? []), name]);
}

/** Topics of a whole platform have more before the prefix. */
async function deleteTopics(prefixes: readonly string[]): Promise<void> {
  const brokers = (process.env['KAFKA_BROKERS'] ?? '').split(',');
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => prefixes.some((prefix) => topic.includes(prefix)));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}
