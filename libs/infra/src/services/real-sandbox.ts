import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fetch } from '@fanfare/runtime/http-client';
import { freePorts } from '../ports.ts';
import { startService } from './start-service.ts';
import { waitReady } from './wait-ready.ts';

export interface SandboxPost {
  readonly id: string;
  readonly platform: string;
  readonly account_id: string;
  readonly text: string;
  readonly state: string;
  readonly media: readonly { alt_text: string | null }[];
  readonly comments: readonly { text: string }[];
  readonly details: Readonly<Record<string, unknown>>;
}

interface SandboxExchange {
  readonly operation: string | null;
  readonly host: string;
  readonly body: unknown;
  readonly status: number | null;
  readonly at: string;
}

/** The built sandbox as a separate process, with all platforms' wire protocols and faults on demand. */
export interface RealSandbox {
  readonly url: string;
  posts(text?: string): Promise<SandboxPost[]>;
  /** Exchanges of one operation, such as `x.create_post`; with `text`, only those whose body contains it. */
  exchanges(operation: string, text?: string): Promise<SandboxExchange[]>;
  /** @param times null for always */
  fault(operation: string, fault: { type: string } & Record<string, unknown>, times?: number | null): Promise<void>;
  clearFaults(): Promise<void>;
  /** How many calls faults keep waiting now. */
  held(): Promise<number>;
  createAccount(platform: string, username: string): Promise<string>;
  /** Sets what the platform counts of a post or an account, or of an account's day if one is given. */
  setStatistics(id: string, statistics: Readonly<Record<string, number>>, day?: string): Promise<void>;
  revoke(accountId: string): Promise<void>;
  /** Returns it, for the next test file of this process. */
  stop(): Promise<void>;
}

/** The addresses of running sandboxes that no test uses. They end with this process. */
const idle: string[] = [];

/** A sandbox in its initial state, in a process of its own that other test files of this process have used before. */
export async function startRealSandbox(): Promise<RealSandbox> {
  const url = idle.pop() ?? (await startProcess());
  const control = async <T>(method: string, at: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/_control/${at}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /_control/${at} returned ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  await control('POST', 'reset');

  return {
    url,
    async posts(text) {
      const { items } = await control<{ items: SandboxPost[] }>('GET', 'posts?limit=1000');
      return text === undefined ? items : items.filter((post) => post.text === text);
    },
    async exchanges(operation, text = '') {
      const { items } = await control<{ items: SandboxExchange[] }>('GET', 'requests?limit=1000');
      return items.filter((one) => one.operation === operation && JSON.stringify(one.body ?? null).includes(text));
    },
    async fault(operation, fault, times = 1) {
      await control('POST', 'faults', { platform: operation.split('.')[0], call: operation, times, fault });
    },
    async clearFaults() {
      await control('DELETE', 'faults');
    },
    async held() {
      const { items } = await control<{ items: { held: number }[] }>('GET', 'faults');
      return items.reduce((sum, { held }) => sum + held, 0);
    },
    async createAccount(platform, username) {
      return (await control<{ id: string }>('POST', 'accounts', { platform, username, name: username })).id;
    },
    async setStatistics(id, statistics, day) {
      await control('PUT', `statistics/${encodeURIComponent(id)}`, { statistics, ...(day !== undefined && { day }) });
    },
    async revoke(accountId) {
      await control('POST', `accounts/${accountId}/revoke`);
    },
    async stop() {
      idle.push(url);
    },
  };
}

async function startProcess(): Promise<string> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fanfare-sandbox-'));
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const service = startService({
    name: 'sandbox',
    entry: 'apps/sandbox/start.sh',
    env: { PORT: String(port), LOG_LEVEL: 'error', SANDBOX_PROCESSING_MS: '0', SANDBOX_LIMITS_FACTOR: '1000' },
    logFile: path.join(dir, 'sandbox.log'),
    inBackground: true,
  });
  await waitReady(url, { timeoutMs: 60_000, process: service });
  // Its log is needed only if it does not start.
  await rm(dir, { recursive: true, force: true });
  return url;
}
