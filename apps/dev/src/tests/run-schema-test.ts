import { spawn } from 'node:child_process';
import { workspaceRoot } from '../workspace.ts';

/**
 * Holds the API against its description: Schemathesis calls a platform of its own.
 * @param args for Schemathesis
 * @param env where MongoDB and Kafka are
 * @param onOutput takes what it prints, in pieces; unless given, it is shown as it comes
 * @returns its exit code
 */
export function runSchemaTest(
  args: readonly string[],
  env: Record<string, string>,
  signal: AbortSignal,
  onOutput?: (piece: Buffer) => void,
): Promise<number> {
  const output = onOutput ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, ['apps/e2e/src/schemathesis/main.ts', ...args], {
    cwd: workspaceRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
    // It stops its own processes when it is told to, and is told once.
    detached: true,
  });
  if (onOutput) for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput);
  signal.addEventListener('abort', () => child.exitCode === null && child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
