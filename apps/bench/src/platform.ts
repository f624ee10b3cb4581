import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** What we read of `.fanfare/dev.json`. */
export interface DevPlatform {
  readonly base_url: string;
  readonly api_key: string;
  readonly business_id: string;
  readonly sandbox_url: string;
  /** Name → process id. */
  readonly processes: Readonly<Record<string, number>>;
}

export interface BenchPlatform {
  readonly dev: DevPlatform;
  /** Stops what we started; leaves alone what ran before. */
  stop(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, '../../..');

/** @throws Error when it cannot be started */
export async function findOrStartPlatform(say: (line: string) => void): Promise<BenchPlatform> {
  const running = readDevFile();
  if (running && (await answers(running))) return { dev: running, stop: async () => {} };

  say('No platform runs in this folder; starting one.');
  const child = spawn(process.execPath, [path.join(root, 'apps/dev/src/start.ts'), '--no-demo'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  const { stdout } = child;
  if (!stdout) throw new Error('The platform cannot be started.');
  const ended = once(child, 'exit');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const up = (async () => {
    for await (const line of createInterface(stdout)) if (line.startsWith('Fanfare runs')) return true;
    return false;
  })();
  const dev = (await up) ? readDevFile() : undefined;
  stdout.resume();
  if (!dev) throw new Error('The platform could not be started; npm start shows why.');
  return {
    dev,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function readDevFile(): DevPlatform | undefined {
  try {
    return JSON.parse(readFileSync(path.join(root, '.fanfare/dev.json'), 'utf8')) as DevPlatform;
  } catch {
    return undefined;
  }
}

async function answers({ base_url, api_key }: DevPlatform): Promise<boolean> {
  try {
    const answer = await fetch(`${base_url}/api/health`, {
      headers: { authorization: `Bearer ${api_key}` },
      signal: AbortSignal.timeout(5_000),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
