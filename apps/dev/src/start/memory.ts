import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Infra } from '@fanfare/infra';

const run = promisify(execFile);

/** Process ids of MongoDB and Kafka, if they run here and can be found. */
export async function infraProcesses({ how }: Pick<Infra, 'how'>, dataDir: string): Promise<Record<string, number>> {
  const runDir = path.join(dataDir, 'infra', 'kept');
  if (how === 'native') {
    const found = await Promise.all(
      ['mongod', 'kafka'].map(async (name) => [name, await pidIn(path.join(runDir, `${name}.pid`))] as const),
    );
    return Object.fromEntries(found.filter(([, pid]) => pid > 0));
  }
  return how === 'docker' && process.platform === 'linux' ? containerProcesses(runDir).catch(() => ({})) : {};
}

/**
 * Resident memory in MB (10^6 bytes) by name, without processes that have ended.
 * @param processes name → process id
 */
export async function residentMb(processes: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const measured = await Promise.all(Object.entries(processes).map(async ([name, pid]) => [name, await residentBytes(pid)] as const));
  return Object.fromEntries(measured.filter(([, bytes]) => bytes > 0).map(([name, bytes]) => [name, Math.round(bytes / 1e6)]));
}

/** `a 80 MB, b 90 MB, together 170 MB`. */
export function memoryLine(memory: Readonly<Record<string, number>>): string {
  const parts = Object.entries(memory).map(([name, mb]) => `${name} ${mb}`);
  const total = Object.values(memory).reduce((sum, mb) => sum + mb, 0);
  return `${parts.join(', ')}, together ${total} MB`;
}

async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux')
      return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    return 1024 * Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout);
  } catch {
    return 0;
  }
}

async function pidIn(file: string): Promise<number> {
  return Number(await readFile(file, 'utf8').catch(() => 0));
}

/** A container's main process, as this machine sees it. */
async function containerProcesses(runDir: string): Promise<Record<string, number>> {
  const { stdout: ids } = await run('docker', ['ps', '--quiet', '--filter', `label=fanfare.run-dir=${runDir}`]);
  const { stdout } = await run('docker', ['inspect', '--format', '{{.State.Pid}} {{.Config.Image}}', ...ids.split('\n').filter(Boolean)]);
  const rows = stdout.trim().split('\n');
  return Object.fromEntries(rows.map((row) => [row.includes('kafka') ? 'kafka' : 'mongod', Number(row.split(' ')[0])]));
}
