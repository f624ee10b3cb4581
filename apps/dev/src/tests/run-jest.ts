import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import type { JestReport } from './test-summary.ts';
import { workspaceRoot } from '../workspace.ts';

/** Tests spend much of their time waiting for servers, so more files run at once than there are cores; end-to-end tests have others beside these. */
const WORKERS = availableParallelism() * 2;

/** Also of the workers, which keep all modules: without room from the start, collecting garbage among these takes a tenth of their CPU. */
const HEAP = ['--max-semi-space-size=32', '--initial-old-space-size=512'];

/**
 * Runs jest, and shows its output as it comes.
 * @param signal ends it
 * @returns its report; undefined if it wrote none
 */
export async function runJest(args: readonly string[], env: Record<string, string>, signal: AbortSignal): Promise<JestReport | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fanfare-jest-'));
  const outputFile = path.join(folder, 'report.json');
  try {
    const child = spawn(
      process.execPath,
      [...HEAP, 'node_modules/.bin/jest', `--maxWorkers=${WORKERS}`, ...args, '--json', `--outputFile=${outputFile}`],
      {
        cwd: workspaceRoot,
        env: { ...process.env, NODE_ENV: 'test', ...env },
        stdio: ['ignore', 'inherit', 'inherit'],
        // In its own group: jest's workers outlive it unless they are signalled too.
        detached: true,
      },
    );
    const { pid } = child;
    const interrupt = () => pid !== undefined && process.kill(-pid, 'SIGKILL');
    signal.addEventListener('abort', interrupt);
    await new Promise((resolve) => child.once('exit', resolve));
    signal.removeEventListener('abort', interrupt);
    return JSON.parse(await readFile(outputFile, 'utf8')) as JestReport;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
